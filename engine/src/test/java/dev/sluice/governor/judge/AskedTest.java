package dev.sluice.governor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Classifier;
import dev.sluice.governor.classify.ClassifySettings;
import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.http.FieldList;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the origin was asked, as the judge sees it. */
class AskedTest {

  /** DEC-34: one coding at most is asked for, and without one the answer must come in none. */
  @ParameterizedTest(name = "Accept-Encoding {0} asks for {1}")
  @CsvSource(
      nullValues = "null",
      value = {"gzip, gzip", "br, br", "identity, null", "null, null"})
  void coding_isTheOneThatIsSent(@Nullable String acceptEncoding, @Nullable String coding) {
    FieldList fields =
        acceptEncoding == null
            ? FieldList.of("Cookie", "a=1")
            : FieldList.of("Accept-Encoding", acceptEncoding);
    var sent =
        new RequestHead(
            "GET", Target.ofOriginForm("/p"), "a.example", 1, fields, Framing.None.INSTANCE);

    assertThat(Asked.of(classified(sent), sent, true))
        .isEqualTo(
            new Asked(
                RouteClass.PUBLIC_SSR,
                RequestClass.PUBLIC_DOCUMENT,
                false,
                false,
                "/p",
                coding,
                true,
                acceptEncoding == null));
  }

  private static Classified classified(RequestHead head) {
    var all =
        new Route(
            "all",
            "/**",
            RouteClass.PUBLIC_SSR,
            Priority.NORMAL,
            1,
            OnClientAbort.FINISH,
            RouteLimits.NONE);
    var settings = new ClassifySettings(Framework.NONE, List.of(all), List.of());
    return (Classified) new Classifier(settings).classify(head);
  }
}

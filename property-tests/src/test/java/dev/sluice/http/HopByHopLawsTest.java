package dev.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HopByHopLawsTest {

  @Provide
  Arbitrary<String> options() {
    Arbitrary<String> known = Arbitraries.of(FieldName.class).map(FieldName::text);
    Arbitrary<String> further =
        Arbitraries.of("X-Forwarded-Port", "Origin", "close", "x-mine", " ", "", "a b", "\t");
    return Arbitraries.oneOf(known, known.map(name -> name.toUpperCase(Locale.ROOT)), further)
        .list()
        .ofMaxSize(60)
        .map(elements -> String.join(" , ", elements));
  }

  @Property
  void connectionNames_whateverIsNamed_neverStripAProtectedField(@ForAll("options") String value) {
    List<String> names = HopByHop.connectionNames(FieldList.of("Connection", value));
    assertThat(names).hasSizeLessThanOrEqualTo(ConnectionOptions.MAX_NAMES);
    for (String name : names) {
      assertThat(FieldName.find(name)).isNull();
      assertThat(name).doesNotStartWith("x-forwarded-").isNotEqualTo("origin");
    }
  }

  @Property
  void of_anyText_doesNotThrow(@ForAll String first, @ForAll String second) {
    var headers = FieldList.of("Connection", first, "Connection", second);
    assertThat(ConnectionOptions.of(headers).names()).doesNotContain("");
  }

  @Property
  void parse_anyText_isNormalizedOnce(@ForAll String text) {
    if (Authority.parse(text) instanceof Authority.Valid valid) {
      String normalized = valid.normalized(80);
      assertThat(Authority.parse(normalized)).isInstanceOf(Authority.Valid.class);
      assertThat(((Authority.Valid) Authority.parse(normalized)).normalized(80))
          .isEqualTo(normalized);
    }
  }

  @Property
  void split_anyText_doesNotThrow(@ForAll String text) {
    assertThat(AbsoluteForm.split("GET", text)).isNotNull();
    assertThat(AbsoluteForm.split("GET", "http://" + text)).isNotNull();
  }
}

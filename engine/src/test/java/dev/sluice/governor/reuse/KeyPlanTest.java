package dev.sluice.governor.reuse;

import static dev.sluice.governor.reuse.Asking.ALL;
import static dev.sluice.governor.reuse.Asking.policy;
import static dev.sluice.governor.reuse.Asking.shop;
import static dev.sluice.governor.reuse.Asking.vary;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.SharePolicy.CookiePolicy;
import dev.sluice.governor.classify.SharePolicy.KeyPolicy;
import dev.sluice.governor.classify.SharePolicy.QueryMode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which configured and learned fields come to a route's keys, and which have a place already. */
class KeyPlanTest {

  private static final KeyPolicy SELECTORS = vary("next-url", "rsc", "x-a", "x-nextjs-data");

  /** The framework's own fields have their place in the key, be they configured, too. */
  @Test
  void selectors_thatAreConfigured_areInTheKeyOnce() {
    Asking asked = shop(SELECTORS);

    assertThat(asked.parts("/p").fields()).containsOnlyKeys("x-a");
    assertThat(asked.keyed("/p?_rsc", "RSC", "1").key())
        .isEqualTo(shop(vary("x-a")).keyed("/p?_rsc", "RSC", "1").key());
  }

  @Test
  void selectors_ofNoFramework_areFieldsLikeOthers() {
    Asking plain = shop(RouteClass.PUBLIC_SSR, SELECTORS, CookiePolicy.PRIVATE, Framework.NONE);

    assertThat(plain.parts("/p").fields())
        .containsOnlyKeys("next-url", "rsc", "x-a", "x-nextjs-data");
  }

  /** Of a request that is built the coding is in the key, of one that goes out whole the field. */
  @Test
  void acceptEncoding_thatIsConfigured_isAFieldOfWholeRequestsOnly() {
    List<String> name = List.of("accept-encoding");
    KeyPolicy whole = policy(QueryMode.ALL, List.of(), name, List.of(), true, false);

    assertThat(shop(vary("accept-encoding")).keyed("/p", "Accept-Encoding", "br").key())
        .isEqualTo(shop(ALL).keyed("/p", "Accept-Encoding", "br").key());
    assertThat(shop(whole).parts("/p", "Accept-Encoding", "br").fields())
        .containsEntry("accept-encoding", Optional.of("br"));
  }

  /** A file that was read anew may list what an answer taught before. */
  @Test
  void learnedName_thatIsConfiguredSince_isInTheKeyOnce() {
    Asking asked = shop(vary("x-a"));
    asked.memory.learn(shop(ALL).keyed("/p"), List.of("x-a", "x-b"));

    KeyParts parts = asked.parts("/p", "X-A", "1");

    assertThat(parts.fields()).containsEntry("x-a", Optional.of("1"));
    assertThat(parts.secondLevel()).containsOnlyKeys("x-b");
  }
}

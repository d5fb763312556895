package dev.sluice.governor.classify;

import static dev.sluice.governor.classify.Requests.head;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExplanationTest {

  private final Classifier classifier = Requests.shop(Framework.NEXTJS);

  @Test
  void of_ambiguousTarget_saysWhy() {
    assertThat(Explanation.of(classifier.classify(head("GET", "/products/%2e%2e/account"))))
        .containsExactly(
            "route: default (/**)",
            "request class: private_document",
            "treated as: private_dynamic",
            "because: two parsers could read the path differently (DEC-33)",
            "permit: render",
            "priority: normal",
            "own answers: plain");
  }

  @Test
  void of_prefetchWithDraftCookie_saysBoth() {
    var request =
        head(
            "GET",
            "/products/1",
            "RSC",
            "1",
            "Next-Router-Prefetch",
            "1",
            "Cookie",
            "__prerender_bypass=1");
    assertThat(Explanation.of(classifier.classify(request)))
        .contains(
            "treated as: private_dynamic (the route says public_ssr)",
            "priority: low (a draft; the route says high)");
  }

  @Test
  void of_refusalAndOwnAnswer_areOneReasonEach() {
    assertThat(Explanation.of(classifier.classify(head("TRACE", "/"))))
        .containsExactly(
            "refused: 405 method_not_allowed", "because: The method is not served here.");
    assertThat(Explanation.of(classifier.classify(head("OPTIONS", "*"))))
        .first()
        .isEqualTo("answered here: 204");
  }
}

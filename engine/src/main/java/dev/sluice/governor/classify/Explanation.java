package dev.sluice.governor.classify;

import dev.sluice.governor.classify.Classification.AnsweredHere;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.classify.Classification.Refused;
import dev.sluice.outcome.Cause;
import java.util.List;
import java.util.Locale;

/** A classification in words, one fact a line, for {@code sluice explain}. Stateless. */
public final class Explanation implements Classification.Cases<List<String>> {

  private static final Explanation IN_WORDS = new Explanation();

  private Explanation() {}

  /** The lines for {@code classification}, each {@code name: value}. */
  public static List<String> of(Classification classification) {
    return classification.match(IN_WORDS);
  }

  /** The lines for a request that is turned away for {@code cause}. */
  public static List<String> ofRefusal(Cause cause) {
    return List.of(
        "refused: " + cause.status() + " " + cause.code(), "because: " + cause.sentence());
  }

  @Override
  public List<String> refused(Refused refused) {
    return ofRefusal(refused.refusal().cause());
  }

  @Override
  public List<String> answeredHere(AnsweredHere answered) {
    return List.of(
        "answered here: " + answered.status(),
        "because: the request asks the proxy itself, not a resource (RFC 9112 3.2.4)");
  }

  @Override
  public List<String> classified(Classified classified) {
    Route route = classified.route();
    Treatment treatment = classified.treatment();
    String declared =
        treatment.effectiveClass() == route.routeClass()
            ? ""
            : " (the route says " + route.routeClass().code() + ")";
    return List.of(
        "route: " + route.id() + " (" + route.match() + ")",
        "request class: " + classified.requestClass().code(),
        "treated as: " + treatment.effectiveClass().code() + declared,
        "because: " + treatment.ground().sentence(),
        "permit: " + treatment.permitKind().code(),
        "priority: " + treatment.priority().code() + priorityGround(classified),
        "own answers: " + classified.audience().name().toLowerCase(Locale.ROOT));
  }

  private static String priorityGround(Classified classified) {
    if (classified.priority() == classified.route().priority()) {
      return "";
    }
    String why = classified.treatment().ground() == Ground.DRAFT_COOKIE ? "a draft" : "a prefetch";
    return " (" + why + "; the route says " + classified.route().priority().code() + ")";
  }
}

package dev.sluice.governor;

import dev.sluice.flow.SpoolSettings;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.judge.Asked;
import dev.sluice.governor.judge.Judge;
import dev.sluice.governor.judge.Rights;
import dev.sluice.governor.judge.Sharing;
import dev.sluice.governor.reuse.ReuseSettings;
import dev.sluice.governor.reuse.Selection;
import dev.sluice.governor.reuse.Selection.Alone;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.SharedRequest;
import dev.sluice.governor.reuse.SharedRequest.Validators;
import dev.sluice.governor.reuse.VaryMemory;
import dev.sluice.http.Framing;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.http.caching.Lifetime;
import dev.sluice.http.caching.VaryNames;
import dev.sluice.outcome.BypassReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What would become of an origin's answer, in words, one fact a line, for an explanation (BEY-07).
 * Immutable.
 */
final class AnswerExplanation {

  private final ReuseSettings reuse;
  private final SpoolSettings spool;

  AnswerExplanation(ReuseSettings reuse, SpoolSettings spool) {
    this.reuse = reuse;
    this.spool = spool;
  }

  /**
   * The lines for {@code head}, each {@code name: value}, with a store that is empty.
   *
   * @param receivedMillis when it came, since 1970
   */
  List<String> of(
      Classified classified, Selection selection, ResponseHead head, long receivedMillis) {
    if (selection instanceof Alone alone) {
      return own(alone.reason());
    }
    Keyed keyed = (Keyed) selection;
    RequestHead sent = SharedRequest.ofLead(keyed, Validators.NONE);
    Sharing sharing =
        Judge.share(
            Asked.of(classified, sent, keyed.isWhole()),
            head,
            keyed.route().share(),
            receivedMillis);
    var names = VaryNames.of(head.headers()).names();
    VaryMemory.Fit fit = new VaryMemory().learn(keyed, names);
    var lines = new ArrayList<>(new InWords(bounded(sharing, keyed, head, fit)).lines());
    if (fit == VaryMemory.Fit.LEARNED) {
      lines.add("varies by: " + String.join(", ", names) + " (each value is an answer of its own)");
    }
    List<String> tags = Keeper.tags(head.headers(), reuse.cache().tagHeader());
    if (!tags.isEmpty()) {
      lines.add("tags: " + String.join(", ", tags));
    }
    return lines;
  }

  /** What our own means do not allow, as the landing of a flight has it. */
  private Sharing bounded(Sharing sharing, Keyed keyed, ResponseHead head, VaryMemory.Fit fit) {
    if (sharing instanceof Sharing.Alone) {
      return sharing;
    }
    if (head.framing() instanceof Framing.Length length
        && length.bytes() > ReuseStep.keptMax(keyed.route(), reuse, spool)) {
      return new Sharing.Alone(BypassReason.OVERSIZE);
    }
    if (fit == VaryMemory.Fit.UNSUPPORTED) {
      return new Sharing.Alone(BypassReason.UNSUPPORTED_VARY);
    }
    boolean tooLarge =
        sharing instanceof Sharing.Kept
            && head.framing() instanceof Framing.Length body
            && body.bytes() > reuse.cache().maxBodySize();
    return tooLarge ? new Sharing.Together(BypassReason.OVERSIZE) : sharing;
  }

  private static List<String> own(BypassReason reason) {
    return List.of(
        "verdict: nobody else's (" + reason.code() + ")", "because: " + reason.sentence());
  }

  /** A verdict's lines. */
  private record InWords(Sharing sharing) implements Sharing.Cases<List<String>> {

    List<String> lines() {
      return sharing.match(this);
    }

    @Override
    public List<String> alone(Sharing.Alone alone) {
      return own(alone.reason());
    }

    @Override
    public List<String> together(Sharing.Together together) {
      return List.of(
          "verdict: shared with those who wait for it, not stored ("
              + together.notKept().code()
              + ")",
          "because: " + together.notKept().sentence());
    }

    @Override
    public List<String> kept(Sharing.Kept kept) {
      Lifetime lifetime = kept.lifetime();
      String until = kept.aboard() ? "" : ", and served when the origin has confirmed it";
      return List.of(
          "verdict: stored" + until,
          "by right of: " + String.join(", ", Rights.words(kept.rights())),
          "lifetime: fresh for "
              + seconds(lifetime.freshMillis())
              + ", of an age of "
              + seconds(lifetime.initialAgeMillis())
              + " already",
          "stale: "
              + seconds(lifetime.staleWhileRevalidateMillis())
              + " more while it is refreshed, "
              + seconds(lifetime.staleIfErrorMillis())
              + " more where the origin fails or has no room");
    }

    private static String seconds(long millis) {
      return Duration.ofMillis(millis).toSeconds() + "s";
    }
  }
}

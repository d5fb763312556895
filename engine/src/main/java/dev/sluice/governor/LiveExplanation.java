package dev.sluice.governor;

import dev.sluice.governor.admit.Snapshot;
import dev.sluice.governor.classify.Classification.Classified;
import dev.sluice.governor.judge.Rights;
import dev.sluice.governor.reuse.Selection.Keyed;
import dev.sluice.governor.reuse.VaryNames;
import dev.sluice.governor.reuse.cache.StoredResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the running proxy would make of a request at this moment, in words (BEY-07): what the
 * generation in force says of it, and what is stored, under way and waiting. It only looks; nothing
 * is asked of the origin and nothing in the store is moved. Thread-safe.
 */
public final class LiveExplanation {

  private final GovernorContext governor;

  public LiveExplanation(GovernorContext governor) {
    this.governor = governor;
  }

  /** The lines for {@code supposed}, each {@code name: value}. */
  public List<String> of(Supposed.Case supposed) {
    Generation generation = governor.generation();
    RequestExplanation.Said said =
        RequestExplanation.of(generation)
            .of(supposed, governor.varied(), governor.clocks().wall().epochMillis());
    var lines = new ArrayList<String>();
    lines.add("generation: " + generation.number());
    lines.addAll(said.lines());
    if (said.selection() instanceof Keyed keyed) {
      reuse(keyed, lines);
    }
    if (said.classified() != null) {
      admission(said.classified(), lines);
    }
    return lines;
  }

  private void reuse(Keyed keyed, List<String> lines) {
    VaryNames varied =
        keyed.isWhole()
            ? governor.varied().ofKey(keyed.primary())
            : governor.varied().ofRoute(keyed.route().id());
    String names = String.join(", ", varied.names());
    lines.add("seen to vary by: " + (names.isEmpty() ? "nothing" : names));
    StoredResponse entry = governor.cache().look(keyed.key());
    lines.add("stored now: " + (entry == null ? "no" : stored(entry, keyed)));
    if (entry != null && !entry.filing().tags().isEmpty()) {
      lines.add("its tags: " + String.join(", ", entry.filing().tags()));
    }
    boolean boardable = governor.flights().find(keyed.key()) != null;
    lines.add(
        "under way now: " + (boardable ? "a flight that may be boarded" : "nothing to board"));
    if (governor.unshareable().isRemembered(keyed.key())) {
      lines.add("remembered: the key proved unshareable a moment ago, so nobody boards");
    }
  }

  private String stored(StoredResponse entry, Keyed keyed) {
    long age = entry.ageMillis(governor.ticker().nanos(), governor.clocks().suspension().millis());
    String standing =
        switch (entry.standing(age)) {
          case FRESH -> "fresh for " + seconds(entry.lifetime().freshMillis() - age) + " more";
          case REVALIDATE -> "stale, served while it is refreshed";
          case IF_ERROR -> "stale, for where the origin fails or has no room";
          case EXPIRED -> "stale, to be asked about";
        };
    String soft = entry.isSoftlyPurged() ? ", softly purged" : "";
    String right =
        Rights.areGrantedBy(entry.rights(), keyed.route().share())
            ? ""
            : ", by a right that the route does not grant any more";
    return standing + ", of an age of " + seconds(age) + soft + right;
  }

  private void admission(Classified classified, List<String> lines) {
    Snapshot now = governor.admissionFor(classified.permitKind()).snapshot();
    lines.add("in flight now: " + scope(now.global()));
    scope("tier " + classified.priority().code(), now.tiers().get(classified.priority()), lines);
    scope("route " + classified.route().id(), now.routes().get(classified.route().id()), lines);
  }

  private static void scope(String name, Snapshot.@Nullable Scope scope, List<String> lines) {
    if (scope != null) {
      lines.add(name + " now: " + scope(scope));
    }
  }

  private static String scope(Snapshot.Scope scope) {
    String max = scope.max() == Integer.MAX_VALUE ? "" : " of " + scope.max();
    return scope.inFlight() + max + " units, " + scope.waiting() + " waiting";
  }

  private static String seconds(long millis) {
    return TimeUnit.MILLISECONDS.toSeconds(millis) + "s";
  }
}

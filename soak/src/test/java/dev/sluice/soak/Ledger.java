package dev.sluice.soak;

import dev.sluice.soak.Ask.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of the mix's requests. Thread-safe: guarded by this object's lock. */
final class Ledger {

  private static final int WRONG_MAX = 20;

  private final Map<String, Long> counts = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private long wrongCount;

  synchronized void answered(Ask ask, Answer answer, String seen) {
    count(ask.kind() + " " + answer);
    count("all " + answer);
    if (answer == Answer.WRONG) {
      wrong(ask.line() + ": " + seen);
    }
  }

  synchronized void left(Ask ask, Departure how) {
    count(ask.kind() + " LEFT");
    count("left by " + how);
  }

  synchronized void wrong(String what) {
    wrongCount++;
    if (wrong.size() < WRONG_MAX) {
      wrong.add(what);
    }
  }

  /** Adds what another has counted, which nobody writes to any more. */
  void add(Ledger other) {
    Map<String, Long> more = other.counts();
    List<String> wrongs = other.wrong();
    long wrongsCount = other.wrongCount();
    synchronized (this) {
      more.forEach((what, count) -> counts.merge(what, count, Long::sum));
      wrong.addAll(wrongs);
      wrongCount += wrongsCount;
    }
  }

  synchronized long wrongCount() {
    return wrongCount;
  }

  /** The first of them. */
  synchronized List<String> wrong() {
    return List.copyOf(wrong);
  }

  synchronized long count(Answer answer) {
    return counts.getOrDefault("all " + answer, 0L);
  }

  synchronized Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }

  private void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }
}

package dev.sluice.bench.peers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One work done by all who take part, in turns, the first of each round being another; figures are
 * the rounds' median. Confined to one thread.
 */
final class Race {

  /** Besides the requests: the reading of the count itself, and a page that is stored. */
  private static final long ASKED_BESIDES = 50;

  private static final double WHOLE_BODIES = 0.98;
  static final int WARM_UP_SECONDS = 2;
  static final int WARM_UPS_MAX = 6;
  private static final int WARM_UPS_MIN = 3;
  private static final double STILL_FALLING = 0.93;

  /** One round's figures of one contestant. */
  record Lap(double cpuMicros, double perSecond) {}

  private final Arena arena;
  private final Wrk wrk;
  private final Work work;
  private final Map<String, List<Lap>> laps = new LinkedHashMap<>();

  private Race(Arena arena, Wrk wrk, Work work) {
    this.arena = arena;
    this.wrk = wrk;
    this.work = work;
  }

  /** Runs so many rounds of so many seconds for each, once Sluice is compiled. */
  static Race run(Arena arena, Wrk wrk, Work work, int rounds, int seconds) {
    var race = new Race(arena, wrk, work);
    List<Contestant> all = arena.at(work);
    all.stream().filter(Contestant::isSluice).forEach(race::warmUp);
    for (int round = 0; round < rounds; round++) {
      List<Contestant> order = new ArrayList<>(all);
      Collections.rotate(order, -round);
      order.forEach(each -> race.lap(each, seconds));
    }
    return race;
  }

  /** As long as each stretch is clearly cheaper than the one before, the JVM is still compiling. */
  private void warmUp(Contestant sluice) {
    double before = Double.MAX_VALUE;
    for (int i = 0; i < WARM_UPS_MAX; i++) {
      var times = sluice.cpuTimes();
      Wrk.Result seen = wrk.ask(sluice.target(work), WARM_UP_SECONDS, work.closes());
      double now = sluice.cpuMicrosSince(times) / seen.answers();
      if (i >= WARM_UPS_MIN && now > before * STILL_FALLING) {
        return;
      }
      before = now;
    }
  }

  private void lap(Contestant contestant, int seconds) {
    long askedBefore = arena.asked();
    var before = contestant.cpuTimes();
    Wrk.Result seen = wrk.ask(contestant.target(work), seconds, work.closes());
    double micros = contestant.cpuMicrosSince(before);
    check(contestant, seen, arena.asked() - askedBefore);
    var lap = new Lap(micros / seen.answers(), (double) seen.answers() / seconds);
    laps.computeIfAbsent(contestant.name(), name -> new ArrayList<>()).add(lap);
  }

  /** Whole bodies were read, and the origin counted what it should have. */
  private void check(Contestant contestant, Wrk.Result seen, long asked) {
    boolean whole = seen.bytes() >= WHOLE_BODIES * seen.answers() * Arena.BODY_BYTES;
    boolean askedWell = work.asksOrigin() ? asked >= seen.answers() : asked <= ASKED_BESIDES;
    if (seen.answers() == 0 || !whole || !askedWell) {
      throw new AssertionError(
          "%s, %s: %d answers, %.0f bytes, the origin was asked %d times"
              .formatted(contestant.name(), work.code(), seen.answers(), seen.bytes(), asked));
    }
  }

  /** Microseconds of CPU time for each answer. */
  double cpuMicros(String name) {
    return median(of(name).stream().map(Lap::cpuMicros).toList());
  }

  /** Answers for each second, as much as the contestant gives on its part of this machine. */
  double perSecond(String name) {
    return median(of(name).stream().map(Lap::perSecond).toList());
  }

  /** The one's CPU time over the other's in the same round. */
  double ratio(String name, String other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < of(name).size(); i++) {
      ratios.add(of(name).get(i).cpuMicros() / of(other).get(i).cpuMicros());
    }
    return Math.round(median(ratios) * 1000) / 1000.0;
  }

  private List<Lap> of(String name) {
    return laps.getOrDefault(name, List.of());
  }

  private static double median(List<Double> figures) {
    return figures.stream().sorted().toList().get(figures.size() / 2);
  }
}

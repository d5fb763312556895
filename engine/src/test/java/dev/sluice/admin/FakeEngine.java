package dev.sluice.admin;

import java.util.List;
import java.util.Map;

/** An engine that is as a test says. */
final class FakeEngine implements StatusSource {

  volatile boolean ready;
  volatile boolean draining;
  volatile boolean applicationDown;
  volatile int asked;

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public boolean isApplicationUp() {
    return !applicationDown;
  }

  @Override
  public boolean isDraining() {
    return draining;
  }

  @Override
  public EngineStatus status() {
    asked = 1;
    return new EngineStatus(
        "1.2.3",
        4,
        "abc",
        null,
        ready,
        draining,
        1000,
        "epoll",
        "openssl",
        List.of(new EngineStatus.Listener("traffic", "127.0.0.1", 8080)),
        new EngineStatus.Arrivals(8, Map.of("timeout", 1L), 2),
        Map.of("render", render()),
        new EngineStatus.Work(7, 6, 5, 4),
        List.of(
            new EngineStatus.Upstream(
                "127.0.0.1:3000",
                List.of("127.0.0.1"),
                new EngineStatus.Fitness(false, false, true, true, "passed", 0),
                5,
                2,
                3,
                1500,
                new EngineStatus.Scope(4, 3, 0),
                new EngineStatus.Breaker("open", 9, 10, 2))),
        new EngineStatus.Application("listening", 4711, 2, 143),
        List.of(1, 2),
        new EngineStatus.Http2(21, 22, 23, 24, 25, Map.of("resets", 2L)),
        new EngineStatus.Cache(11, 12, 13, 14, 15, 16, 17, 18),
        new EngineStatus.Memory(10, 20, 30, 40, 50, 60));
  }

  private static EngineStatus.Admission render() {
    return new EngineStatus.Admission(
        new EngineStatus.Scope(8, 3, 2),
        Map.of("high", new EngineStatus.Scope(4, 1, 0)),
        Map.of("shop", new EngineStatus.Scope(Integer.MAX_VALUE, 3, 2)),
        100,
        Map.of("queue_full", 5L),
        1000);
  }
}

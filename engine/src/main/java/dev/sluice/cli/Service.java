package dev.sluice.cli;

import dev.sluice.Sluice;
import dev.sluice.net.DrainSettings;
import dev.sluice.time.Ticker;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy in the foreground until it is told to stop (DEC-05): SIGTERM and SIGINT drain and stop,
 * each further one skips the wait that is under way (the drain period, then for what is in flight);
 * SIGHUP opens the access log again and reloads, SIGUSR1 drains. Lives on the main thread.
 */
final class Service {

  private static final Logger log = LoggerFactory.getLogger(Service.class);
  private static final Set<String> STOPS = Set.of("TERM", "INT");

  private final Sluice sluice;
  private final Reload reload;
  private final Ticker ticker = Ticker.system();
  private final BlockingQueue<String> signals;
  private long drainingSinceNanos;
  private boolean draining;

  /** Reads the configuration again and puts it in force, or says why not. */
  @FunctionalInterface
  interface Reload {
    void run(Sluice sluice);
  }

  /** Hears {@code signals} by their names. */
  Service(Sluice sluice, BlockingQueue<String> signals, Reload reload) {
    this.sluice = sluice;
    this.signals = signals;
    this.reload = reload;
  }

  /** Serves until a signal ends it; returns when everything is closed. */
  void serve() throws InterruptedException {
    while (true) {
      String signal = signals.take();
      switch (signal) {
        case "HUP" -> {
          sluice.reopenLogs();
          reload.run(sluice);
        }
        case "USR1" -> drain();
        default -> {
          stop();
          return;
        }
      }
    }
  }

  private void drain() {
    if (!draining) {
      draining = true;
      drainingSinceNanos = ticker.nanos();
      sluice.drain();
      log.info("draining: readiness fails, requests are still served");
    }
  }

  private void stop() throws InterruptedException {
    DrainSettings settings = sluice.settings().drain();
    drain();
    long left = settings.drainPeriod().toNanos() - (ticker.nanos() - drainingSinceNanos);
    if (left > 0) {
      log.info(
          "stopping in {} ms; a second signal skips the wait", TimeUnit.NANOSECONDS.toMillis(left));
    }
    if (left > 0) {
      awaitAnother(left);
    }
    sluice.stop(settings.shutdownTimeout(), this::askedAgain);
    log.info("stopped");
  }

  /** Waits out the drain period, or until stopping is asked for once more. */
  private void awaitAnother(long nanos) throws InterruptedException {
    long deadline = ticker.nanos() + nanos;
    String signal;
    do {
      signal = signals.poll(deadline - ticker.nanos(), TimeUnit.NANOSECONDS);
    } while (signal != null && !STOPS.contains(signal));
  }

  private boolean askedAgain() {
    String signal = signals.poll();
    return signal != null && STOPS.contains(signal);
  }
}

package dev.sluice.cli;

import dev.sluice.Sluice;
import dev.sluice.net.DrainSettings;
import dev.sluice.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy in the foreground until it is told to stop (DEC-05): SIGTERM and SIGINT drain and stop, a
 * second one stops at once, SIGHUP reloads, SIGUSR1 drains. Lives on the main thread.
 */
final class Service {

  private static final Logger log = LoggerFactory.getLogger(Service.class);

  private final Sluice sluice;
  private final Reload reload;
  private final Ticker ticker = Ticker.system();
  private final LinkedBlockingQueue<String> signals = new LinkedBlockingQueue<>();
  private long drainingSinceNanos;
  private boolean draining;

  /** Reads the configuration again and puts it in force, or says why not. */
  @FunctionalInterface
  interface Reload {
    void run(Sluice sluice);
  }

  Service(Sluice sluice, Reload reload) {
    this.sluice = sluice;
    this.reload = reload;
  }

  /** Serves until a signal ends it; returns when everything is closed. */
  void serve() throws InterruptedException, IOException {
    for (String signal : new String[] {"TERM", "INT", "HUP", "USR1"}) {
      Signals.on(signal, signals::add);
    }
    Path pidFile = writePid(sluice.settings().drain().pidFile());
    try {
      loop();
    } finally {
      if (pidFile != null) {
        Files.deleteIfExists(pidFile);
      }
    }
  }

  private void loop() throws InterruptedException {
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
          "stopping in {} ms; a second signal stops at once", TimeUnit.NANOSECONDS.toMillis(left));
    }
    boolean again = left > 0 && awaitSecond(left);
    sluice.stop(again ? Duration.ZERO : settings.shutdownTimeout());
    log.info("stopped");
  }

  /** Waits out the drain period; true: a second request to stop came. */
  private boolean awaitSecond(long nanos) throws InterruptedException {
    long deadline = ticker.nanos() + nanos;
    while (true) {
      String signal = signals.poll(deadline - ticker.nanos(), TimeUnit.NANOSECONDS);
      if (signal == null) {
        return false;
      }
      if (signal.equals("TERM") || signal.equals("INT")) {
        return true;
      }
    }
  }

  private static @org.jspecify.annotations.Nullable Path writePid(String file) throws IOException {
    if (file.isEmpty()) {
      return null;
    }
    Path path = Path.of(file);
    Files.writeString(path, ProcessHandle.current().pid() + "\n");
    return path;
  }
}

package dev.sluice.application;

import dev.sluice.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application that Sluice starts, and starts again whenever it ends (ORG-32, DEC-20): up as
 * soon as it listens, down from its end on. What it writes goes to the log, line by line. However
 * this process ends, it ends with it. Thread-safe; a thread of its own looks after it.
 */
public final class Application implements AutoCloseable {

  /** Where it stands. */
  public enum State {
    /** It was started and does not listen yet. */
    STARTING("starting"),
    LISTENING("listening"),
    /** It ended, and is started again in a while. */
    WAITING("waiting"),
    /** It ended, and that is that. */
    STOPPED("stopped");

    private final String code;

    State(String code) {
      this.code = code;
    }

    /** The word for {@code /status}. */
    public String code() {
      return code;
    }
  }

  /**
   * What it is at one moment.
   *
   * @param pid 0 while none runs
   * @param restarts since the first start
   * @param lastExit the exit status of the one before; null = it never ended
   */
  public record View(State state, long pid, long restarts, @Nullable Integer lastExit) {}

  private static final Logger log = LoggerFactory.getLogger(Application.class);

  /** Its lines stand under this name whatever level our own are logged from. */
  private static final Logger output = LoggerFactory.getLogger("application");

  private static final long LOOK_MILLIS = 50;
  private static final int CONNECT_MILLIS = 1000;
  private static final long KEEPER_MILLIS = 1000;

  private final ApplicationSettings settings;
  private final Ticker ticker;
  private final Backoff backoff;
  private final Thread keeper = new Thread(this::keep, "sluice-application");
  private final Thread hook = new Thread(this::killNow, "sluice-application-end");
  private final CompletableFuture<ProcessFamily> started = new CompletableFuture<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile View view = new View(State.STARTING, 0, 0, null);
  private volatile @Nullable ProcessFamily family;
  private volatile boolean over;

  public Application(ApplicationSettings settings, Ticker ticker, RandomGenerator random) {
    this.settings = settings;
    this.ticker = ticker;
    this.backoff = new Backoff(random);
    keeper.setDaemon(true);
  }

  /**
   * Starts it, without waiting until it listens.
   *
   * @throws IOException where the program cannot be started at all
   */
  public void start() throws IOException {
    keeper.start();
    try {
      started.join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof IOException refused
          ? refused
          : new IOException("origin.command: " + failure.getCause());
    }
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Whether it listens. */
  public boolean isUp() {
    return view.state() == State.LISTENING;
  }

  /** What it is now. */
  public View view() {
    return view;
  }

  // Its thread: the kernel takes this thread's end for the parent's, so it is the one that starts.

  private void keep() {
    ProcessFamily current = first();
    while (current != null) {
      long startedNanos = ticker.nanos();
      int exit = await(current);
      long wait = backoff.after(ticker.nanos() - startedNanos);
      current = isStopping() ? ended(exit) : again(exit, wait);
    }
  }

  private @Nullable ProcessFamily first() {
    try {
      ProcessFamily first = launch();
      started.complete(first);
      return first;
    } catch (IOException failure) {
      view = new View(State.STOPPED, 0, 0, null);
      started.completeExceptionally(failure);
      return null;
    }
  }

  private ProcessFamily launch() throws IOException {
    ProcessFamily launched = ProcessFamily.start(settings.command());
    family = launched;
    Process process = launched.process();
    view = new View(State.STARTING, process.pid(), view.restarts(), view.lastExit());
    if (isStopping()) {
      // It was told to stop meanwhile, when there was none to be told of it.
      launched.terminate();
    }
    var reader =
        new Thread(new OutputLines(process.getInputStream(), output::info), "sluice-output");
    reader.setDaemon(true);
    reader.start();
    log.info("application started, process {}: {}", process.pid(), settings.command());
    return launched;
  }

  /** Returns its exit status, when it has ended and what it left behind has, too. */
  private int await(ProcessFamily current) {
    Process process = current.process();
    try {
      while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS) && !listens()) {
        // Once more.
      }
      if (process.isAlive()) {
        view = new View(State.LISTENING, process.pid(), view.restarts(), view.lastExit());
        log.info("application listens on {} port {}", settings.host(), settings.port());
      }
      process.waitFor();
    } catch (InterruptedException e) {
      current.kill();
    }
    if (!isStopping()) {
      current.kill();
    }
    return process.isAlive() ? -1 : process.exitValue();
  }

  private boolean listens() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(settings.host(), settings.port()), CONNECT_MILLIS);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private @Nullable ProcessFamily ended(int exit) {
    view = new View(State.STOPPED, 0, view.restarts(), exit);
    log.info("application ended with {}", exit);
    return null;
  }

  /** Waits, and starts it again; null where it is to stay down. */
  private @Nullable ProcessFamily again(int exit, long waitNanos) {
    view = new View(State.WAITING, 0, view.restarts(), exit);
    log.error(
        "application ended with {}; it is started again in {} ms",
        exit,
        TimeUnit.NANOSECONDS.toMillis(waitNanos));
    long wait = waitNanos;
    while (!isStoppedWithin(wait)) {
      View now = view;
      view = new View(now.state(), 0, now.restarts() + 1, now.lastExit());
      try {
        return launch();
      } catch (IOException failure) {
        log.error("application not started: {}", failure.getMessage());
        wait = backoff.after(0);
      }
    }
    return ended(exit);
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  private boolean isStoppedWithin(long nanos) {
    try {
      return stopping.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  // The end.

  /**
   * Asks it to end, SIGTERM, and returns when it has. After {@code patienceNanos}, or at {@code
   * cut}'s first yes, it is killed. What it started ends with it. Blocks.
   */
  public void stop(long patienceNanos, BooleanSupplier cut) {
    stopping.countDown();
    ProcessFamily last = family;
    if (last != null && !over) {
      end(last, patienceNanos, cut);
    }
    over = true;
    forgetHook();
  }

  private void end(ProcessFamily last, long patienceNanos, BooleanSupplier cut) {
    var members = last.members();
    last.terminate();
    long deadline = ticker.nanos() + patienceNanos;
    try {
      while (members.stream().anyMatch(ProcessHandle::isAlive)) {
        if (ticker.nanos() - deadline >= 0 || cut.getAsBoolean()) {
          log.warn("application killed: it did not end in time");
          break;
        }
        last.process().waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        keeper.join(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    last.kill();
    members.forEach(ProcessHandle::destroyForcibly);
    if (!isKeeperDone()) {
      killLatest();
    }
  }

  private boolean isKeeperDone() {
    try {
      keeper.join(KEEPER_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !keeper.isAlive();
  }

  /** One that was being started when it was told to stop. */
  private void killLatest() {
    ProcessFamily latest = family;
    if (latest != null) {
      latest.kill();
    }
  }

  /** Ends it at once. */
  @Override
  public void close() {
    stop(0, () -> true);
  }

  private void forgetHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      log.debug("the process is ending, and the application with it");
    }
  }

  /** The process ends without having stopped it. */
  private void killNow() {
    stopping.countDown();
    killLatest();
  }
}

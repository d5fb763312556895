package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.config.Machine;
import dev.sluice.config.Settings;
import dev.sluice.config.SettingsReader;
import dev.sluice.config.SettingsResult;
import dev.sluice.config.Strictness;
import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.fixture.TrickOrigin;
import dev.sluice.fixture.TrickScript;
import dev.sluice.governor.fetch.Names;
import dev.sluice.net.BindFailure;
import dev.sluice.net.DirectMemory;
import dev.sluice.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Real proxies in this JVM, with their origins and clients, for tests that speak through sockets:
 * whatever a test opened here is closed at its end, last first, what a {@code BeforeAll} opened at
 * the class's, and then no buffer may have leaked. Registered in a static field. Confined to the
 * tests' thread.
 */
final class Running
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private int ofClass;

  @Override
  public void beforeAll(ExtensionContext context) {
    LeakWatch.begin();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    ofClass = open.size();
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    closeDownTo(ofClass);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    closeDownTo(0);
    LeakWatch.check();
  }

  private void closeDownTo(int kept) throws Exception {
    while (open.size() > kept) {
      open.pop().close();
    }
  }

  /** A proxy before {@code originPort}. */
  Sluice proxy(int originPort, ProxyFile file) {
    return closing(start(originPort, file));
  }

  /** The same on a clock of the test's. */
  Sluice proxy(int originPort, ProxyFile file, Ticker ticker) {
    return proxy(originPort, file, Surroundings.system().with(ticker));
  }

  /** The same in surroundings of the test's. */
  Sluice proxy(int originPort, ProxyFile file, Surroundings around) {
    return closing(start(settings(originPort, file), around));
  }

  /** A plain proxy before {@code originPort}. */
  Sluice proxy(int originPort) {
    return proxy(originPort, ProxyFile.plain());
  }

  /** The client of a plain proxy before {@code originPort}. */
  RawClient clientBefore(int originPort) {
    return client(proxy(originPort));
  }

  /** The client of a proxy before {@code originPort}. */
  RawClient clientBefore(int originPort, ProxyFile file) {
    return client(proxy(originPort, file));
  }

  SlowOrigin slowOrigin() {
    return closing(SlowOrigin.start(SlowOriginSettings.defaults()));
  }

  TrickOrigin trickOrigin(TrickScript first, TrickScript... further) {
    return closing(TrickOrigin.start(first, further));
  }

  RawClient client(Sluice proxy) {
    return closing(RawClient.connect(proxy.port()));
  }

  /** A client that takes {@code receiveBufferBytes} into its socket and no more. */
  RawClient slowReader(Sluice proxy, int receiveBufferBytes) {
    return closing(RawClient.connect(proxy.port(), PATIENCE, receiveBufferBytes));
  }

  /** Closes {@code opened} at the test's end, before all that was opened earlier. */
  <T extends AutoCloseable> T closing(T opened) {
    open.push(opened);
    return opened;
  }

  /** A proxy that the caller closes. */
  static Sluice start(int originPort, ProxyFile file) {
    return start(settings(originPort, file), Surroundings.system());
  }

  /** A proxy that takes this for all the direct memory there is; the caller closes it. */
  static Sluice start(int originPort, ProxyFile file, DirectMemory memory) {
    return start(settings(originPort, file), Surroundings.system().with(memory));
  }

  private static Sluice start(Settings settings, Surroundings around) {
    try {
      return Sluice.start(settings, around);
    } catch (BindFailure | IOException e) {
      throw new AssertionError(e);
    }
  }

  /** What a file says. */
  static Settings settings(int originPort, ProxyFile file) {
    return settings(file.text(originPort));
  }

  /** What a file of this text says. */
  static Settings settings(String text) {
    SettingsResult result =
        new SettingsReader(Map.of(), Machine.detect(), Strictness.RUN).read("test", text);
    if (!(result instanceof SettingsResult.Accepted accepted)) {
      throw new AssertionError(result + "\n" + text);
    }
    return accepted.settings();
  }

  /** A proxy before several upstreams, whose names mean what {@code names} says. */
  Sluice proxy(ProxyFile file, Names names, String... upstreams) {
    return closing(start(settings(file.text(upstreams)), Surroundings.system().with(names)));
  }

  /** The same with the machine's names. */
  Sluice proxy(ProxyFile file, String... upstreams) {
    return proxy(file, Names.system(), upstreams);
  }

  /** From now on this file holds. */
  static void reload(Sluice proxy, ProxyFile file, String... upstreams) {
    try {
      proxy.reload(settings(file.text(upstreams)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns once {@code condition} holds; another thread makes it so, and soon. */
  static void await(String waitedFor, BooleanSupplier condition) {
    Deadline deadline = Deadline.in(PATIENCE);
    while (!condition.getAsBoolean()) {
      deadline.check(waitedFor);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Returns once {@code origin} has begun {@code requests} of them in all. */
  static void awaitRequests(SlowOrigin origin, long requests) {
    await(requests + " requests", () -> origin.stats().requests() >= requests);
  }

  /** Returns once {@code flights} wait for a render permit. */
  static void awaitWaiting(Sluice proxy, int flights) {
    await(flights + " waiting", () -> render(proxy).waiting() == flights);
  }

  /** Returns once {@code units} of render permits are out. */
  static void awaitInFlight(Sluice proxy, int units) {
    await(units + " in flight", () -> render(proxy).inFlight() == units);
  }

  /** How many permits of this kind were granted so far. */
  static long granted(Sluice proxy, String kind) {
    return admission(proxy, kind).grants();
  }

  private static EngineStatus.Scope render(Sluice proxy) {
    return admission(proxy, "render").global();
  }

  private static EngineStatus.Admission admission(Sluice proxy, String kind) {
    EngineStatus.Admission admission = proxy.status().admissions().get(kind);
    if (admission == null) {
      throw new AssertionError("no permits of kind " + kind);
    }
    return admission;
  }
}

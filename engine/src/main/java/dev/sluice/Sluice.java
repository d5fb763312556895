package dev.sluice;

import dev.sluice.admin.EngineStatus;
import dev.sluice.admin.EngineStatus.Listener;
import dev.sluice.admin.ExplainPage;
import dev.sluice.admin.PurgePage;
import dev.sluice.application.Application;
import dev.sluice.cli.Cli;
import dev.sluice.config.Settings;
import dev.sluice.flow.ByteBudget;
import dev.sluice.governor.Ceilings;
import dev.sluice.governor.Generation;
import dev.sluice.governor.Governor;
import dev.sluice.governor.GovernorContext;
import dev.sluice.governor.LiveExplanation;
import dev.sluice.governor.Purger;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.fetch.OriginPool;
import dev.sluice.governor.fetch.UpstreamState;
import dev.sluice.governor.fetch.Upstreams;
import dev.sluice.governor.reuse.cache.ResponseCache;
import dev.sluice.net.BindFailure;
import dev.sluice.net.DirectMemory;
import dev.sluice.net.EventLoops;
import dev.sluice.net.NetLoop;
import dev.sluice.net.Transport;
import dev.sluice.observe.AccessLog;
import dev.sluice.observe.MetricsPage;
import dev.sluice.observe.Observer;
import dev.sluice.time.Suspension;
import dev.sluice.time.Ticker;
import dev.sluice.wire.OriginConnector;
import dev.sluice.wire.RequestSink;
import dev.sluice.wire.WireSettings;
import dev.sluice.wire.accept.ArrivalCounts;
import dev.sluice.wire.accept.HttpListener;
import dev.sluice.wire.dial.Dialer;
import dev.sluice.wire.http2.Http2Census;
import dev.sluice.wire.http2.OriginSessions;
import dev.sluice.wire.origin.OriginContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running proxy: the only place that sees everything. There is no static state, so several can
 * live in one JVM. Thread-safe.
 */
public final class Sluice implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Sluice.class);

  /** Of the time to stop, what is kept for the application to end in. */
  private static final long APPLICATION_END_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long IDLE_CHECK_MILLIS = 20;
  private static final long MEMORY_CHECK_NANOS = Duration.ofMillis(250).toNanos();

  private final DirectMemory memory;
  private final Ticker ticker;
  private final long startNanos;
  private final EventLoops loops;
  private final ByteBudget requestMemory;
  private final AccessLog accessLog;
  private final Observer observer;
  private final Upstreams upstreams;
  private final UpstreamHealth health;
  private final Ceilings ceilings;
  private final Suspension suspension;
  private final ExecutorService maintenance =
      Executors.newSingleThreadExecutor(new DefaultThreadFactory("sluice-store", true));
  private final ResponseCache cache;
  private final ByteBudget bodies;
  private final GovernorContext governor;
  private final Purger purger;
  private final CopyOnWriteArrayList<OriginPool> pools = new CopyOnWriteArrayList<>();
  private final ProxyTls tls;
  private final HttpListener traffic;
  private final OperatorPages operator;
  private final @Nullable Application application;
  private volatile Settings settings;
  private volatile @Nullable String reloadRefused;
  private volatile boolean ready;
  private volatile boolean draining;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private int port;
  private int tlsPort;

  /** Runs the command line. */
  public static void main(String[] args) {
    // Where the JDK's engine serves: nobody needs it, and it is work that a client can ask for.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    // The JDK keeps a name's answer for 30 s otherwise; ours are looked up every five (H12).
    System.setProperty("sun.net.inetaddr.ttl", "1");
    System.exit(Cli.run(args));
  }

  /**
   * Starts a proxy; it serves when this returns.
   *
   * @throws BindFailure where an address cannot be bound, in one line
   * @throws IOException where a file that the settings name cannot be opened
   */
  public static Sluice start(Settings settings) throws BindFailure, IOException {
    return start(settings, Surroundings.system());
  }

  static Sluice start(Settings settings, Surroundings around) throws BindFailure, IOException {
    var sluice = new Sluice(settings, around);
    try {
      sluice.open();
    } catch (BindFailure | IOException failure) {
      sluice.close();
      throw failure;
    }
    return sluice;
  }

  private Sluice(Settings settings, Surroundings around) throws IOException {
    this.settings = settings;
    this.memory = around.memory();
    this.ticker = around.ticker();
    this.startNanos = ticker.nanos();
    Generation first = Compiler.compile(settings, 1);
    this.tls = new ProxyTls(around.tls(), settings, ticker);
    this.accessLog = new AccessLog(settings.log().access(), around.wall());
    this.loops =
        new EventLoops(
            Transport.of(settings.net().transport()), settings.net().eventLoops(), "sluice-loop");
    this.observer = new Observer(loops.all().size(), accessLog);
    this.requestMemory = new ByteBudget(settings.wire().requestMemory());
    this.upstreams = new Upstreams(settings.fetch(), ticker, around.names());
    this.ceilings = Ceilings.of(settings.admit(), settings.classify().routes(), ticker);
    this.suspension = new Suspension(ticker, around.wall());
    this.cache = new ResponseCache(settings.reuse().cache().maxMemory(), maintenance);
    this.bodies = new ByteBudget(settings.spool().maxMemory());
    this.governor =
        new GovernorContext(
            first,
            ceilings,
            upstreams,
            new GovernorContext.Memory(cache, bodies),
            new GovernorContext.Clocks(ticker, around.wall(), suspension));
    this.purger = new Purger(governor);
    this.operator =
        new OperatorPages(
            loops.transport(),
            new OperatorPages.Content(
                new StatusReader(this),
                new MetricsPage(() -> EngineMetrics.of(observer, this::status)),
                new PurgePage(() -> this.settings.reuse().cache().purgeToken(), purger),
                new ExplainPage(new LiveExplanation(governor))));
    this.application = application(settings, ticker);
    upstreams.watchAddresses(() -> pools.forEach(OriginPool::closeGoneSoon));
    this.health = new UpstreamHealth(loops.transport(), ticker, this::connectorOf, upstreams);
    this.traffic =
        new HttpListener(
            settings.net(),
            tls.clients(),
            loops,
            () -> governor.generation().wire(),
            requestMemory,
            this::governorOf,
            ticker,
            around.wall());
  }

  private static @Nullable Application application(Settings settings, Ticker ticker) {
    return settings.application().isThere()
        ? new Application(settings.application(), ticker, new Random())
        : null;
  }

  private RequestSink governorOf(NetLoop loop) {
    var pool =
        new OriginPool(
            loop,
            ticker,
            connectorOf(loops, loop),
            upstreams,
            () -> governor.generation().fetch(),
            () -> governor.generation().wire(),
            pools);
    return new Governor(governor, loop, pool, observer.forLoop(loop.index()));
  }

  /** How connections to upstreams are made, for flights and for probes. */
  private OriginConnector connectorOf(EventLoops of, NetLoop loop) {
    Supplier<WireSettings> wire = () -> governor.generation().wire();
    return new Dialer(
        new OriginContext(of, loop, ticker, wire, tls.upgrades()),
        new OriginSessions(of, loop, ticker, wire),
        negotiation -> new OriginContext(of, loop, ticker, wire, tls.origins(), negotiation),
        wire);
  }

  private void open() throws BindFailure, IOException {
    operator.open(settings.admin());
    NetLoop first = loops.all().get(0);
    first.execute(() -> watchMemory(first));
    port = traffic.bind();
    listeners.add(new Listener("traffic", settings.net().listen().host(), port));
    health.follow(settings.fetch());
    if (application != null) {
      application.start();
    }
    tlsPort = traffic.bindTls();
    var tlsAddress = settings.net().tlsListen();
    if (tlsAddress != null) {
      listeners.add(new Listener("tls", tlsAddress.host(), tlsPort));
    }
    ready = true;
  }

  /** DEC-38: above 90 % of the direct memory new flights are shed. */
  private void watchMemory(NetLoop loop) {
    tls.renewTicketKeys();
    governor.memoryShort(memory.isShort());
    suspension.look();
    loop.schedule(() -> watchMemory(loop), MEMORY_CHECK_NANOS);
  }

  /** The traffic port. */
  public int port() {
    return port;
  }

  /** The TLS port; 0 where there is none. */
  public int tlsPort() {
    return tlsPort;
  }

  /** The admin port; 0 where there is none. */
  public int adminPort() {
    return operator.adminPort();
  }

  /** The settings in force. */
  public Settings settings() {
    return settings;
  }

  /**
   * New settings for requests that begin; those under way keep theirs (DEC-36). What a reload may
   * not change has been refused before.
   *
   * @throws IOException where a file that the settings name cannot be read; nothing has changed
   *     then
   */
  public synchronized void reload(Settings next) throws IOException {
    Generation generation = Compiler.compile(next, governor.generation().number() + 1);
    // Last of what may fail: what was read before has changed nothing.
    tls.reload(next);
    List<Route> routes = next.classify().routes();
    var ids = routes.stream().map(Route::id).collect(Collectors.toSet());
    upstreams.reload(next.fetch());
    health.follow(next.fetch());
    governor.enforce(generation);
    ceilings.reload(next.admit(), routes);
    observer.retainRoutes(ids);
    observer.retainUpstreams(
        upstreams.all().stream().map(UpstreamState::label).collect(Collectors.toSet()));
    cache.resize(next.reuse().cache().maxMemory());
    bodies.resize(next.spool().maxMemory());
    requestMemory.resize(next.wire().requestMemory());
    if (!Objects.equals(next.fetch().identity(), settings.fetch().identity())) {
      // Who was let in under another proof is asked for the new one, who is busy behind its answer.
      tls.endOriginsEpoch();
      pools.forEach(OriginPool::closeSoon);
    }
    boolean redeployed = !next.reuse().deploymentId().equals(settings.reuse().deploymentId());
    settings = next;
    if (redeployed) {
      // CCH-30: no key reaches them any more, so they only take room.
      Purger.Purged purged = purger.everything();
      log.info("deployment.id has changed: {} stored answers purged", purged.entries());
    }
    reloadRefused = null;
    log.info("configuration {} in force, generation {}", next.fingerprint(), generation.number());
  }

  /** A reload was asked for and changes nothing; {@code /status} tells why until one succeeds. */
  public void refuseReload(String why) {
    reloadRefused = why;
  }

  /** Readiness fails from now on; requests are served as before. */
  public void drain() {
    draining = true;
  }

  /**
   * Stops accepting and waits until nothing is in flight, {@code patience} at most; then cuts what
   * is left. Blocks.
   */
  public void stop(Duration patience) {
    stop(patience, () -> false);
  }

  /** The same; {@code cut} is asked all the while, and its first yes ends the waiting. */
  public void stop(Duration patience, BooleanSupplier cut) {
    draining = true;
    traffic.drain();
    long deadline = ticker.nanos() + patience.toNanos();
    if (application == null) {
      awaitIdle(deadline, cut);
    } else {
      stop(application, deadline, cut);
    }
    if (isBusy()) {
      log.warn("cutting {} connections that are not done", traffic.connections());
    }
    close();
  }

  /**
   * DEC-20: the application is told to end once nobody needs it, or while there is still time for
   * it to; its answers may go on to slow clients behind it.
   */
  private void stop(Application last, long deadline, BooleanSupplier cut) {
    long left = deadline - ticker.nanos();
    long reserve = Math.min(APPLICATION_END_NANOS, left / 2);
    awaitIdle(deadline - reserve, cut);
    pools.forEach(OriginPool::closeSoon);
    last.stop(Math.max(deadline - ticker.nanos(), reserve), cut);
    awaitIdle(deadline, cut);
  }

  private void awaitIdle(long deadline, BooleanSupplier cut) {
    try {
      while (isBusy() && ticker.nanos() - deadline < 0 && !cut.getAsBoolean()) {
        synchronized (this) {
          wait(IDLE_CHECK_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isBusy() {
    return traffic.connections() > 0 || ceilings.inFlight() > 0;
  }

  /** Cuts everything, at once. */
  @Override
  public void close() {
    ready = false;
    traffic.kill();
    if (application != null) {
      application.close();
    }
    pools.forEach(OriginPool::closeSoon);
    health.close();
    loops.close();
    operator.close();
    upstreams.close();
    tls.close();
    cache.clear();
    maintenance.shutdown();
    accessLog.close();
  }

  /** A new access log file of the same name, for rotation. */
  public void reopenLogs() {
    accessLog.reopen();
  }

  /** Everything at this moment. */
  public EngineStatus status() {
    return new StatusReader(this).status();
  }

  // What the status reader and the metrics ask for.

  ProxyTls tls() {
    return tls;
  }

  @Nullable Application application() {
    return application;
  }

  @Nullable String reloadRefused() {
    return reloadRefused;
  }

  boolean isReady() {
    return ready;
  }

  boolean isDraining() {
    return draining;
  }

  long nanos() {
    return ticker.nanos();
  }

  long uptimeNanos() {
    return ticker.nanos() - startNanos;
  }

  DirectMemory directMemory() {
    return memory;
  }

  EventLoops loops() {
    return loops;
  }

  Ceilings ceilings() {
    return ceilings;
  }

  Upstreams upstreams() {
    return upstreams;
  }

  ArrivalCounts arrivals() {
    return traffic.arrivals();
  }

  ByteBudget requestMemory() {
    return requestMemory;
  }

  /** What is counted of the clients' HTTP/2. */
  Http2Census http2() {
    return traffic.census();
  }

  GovernorContext governor() {
    return governor;
  }

  ResponseCache cache() {
    return cache;
  }

  ByteBudget bodies() {
    return bodies;
  }

  /** Those that are bound, in the order in which they were. */
  List<Listener> listeners() {
    var all = new ArrayList<>(operator.listeners());
    all.addAll(listeners);
    return List.copyOf(all);
  }

  Observer observer() {
    return observer;
  }

  AccessLog accessLog() {
    return accessLog;
  }

  long generation() {
    return governor.generation().number();
  }
}

package dev.sluice.config;

import dev.sluice.admin.AdminSettings;
import dev.sluice.application.ApplicationSettings;
import dev.sluice.flow.SpoolSettings;
import dev.sluice.governor.admit.AdmitSettings;
import dev.sluice.governor.classify.ClassifySettings;
import dev.sluice.governor.classify.Framework;
import dev.sluice.governor.classify.OnClientAbort;
import dev.sluice.governor.classify.Priority;
import dev.sluice.governor.classify.Route;
import dev.sluice.governor.classify.RouteClass;
import dev.sluice.governor.classify.RouteLimits;
import dev.sluice.governor.deliver.DeliverSettings;
import dev.sluice.governor.fetch.FetchSettings;
import dev.sluice.governor.fetch.FetchSettings.HealthSettings;
import dev.sluice.governor.fetch.FetchSettings.LoadBalancing;
import dev.sluice.governor.fetch.FetchSettings.Upstream;
import dev.sluice.governor.fetch.Identity;
import dev.sluice.governor.fetch.attempts.BreakerSettings;
import dev.sluice.governor.fetch.attempts.RetrySettings;
import dev.sluice.governor.reuse.ReuseSettings;
import dev.sluice.governor.reuse.cache.CacheSettings;
import dev.sluice.governor.reuse.coalesce.CoalesceSettings;
import dev.sluice.net.DrainSettings;
import dev.sluice.net.IpNetwork;
import dev.sluice.net.NetSettings;
import dev.sluice.net.NetSettings.Address;
import dev.sluice.net.tls.OriginTlsSettings;
import dev.sluice.net.tls.ServerTlsSettings;
import dev.sluice.observe.LogSettings;
import dev.sluice.wire.OriginProtocol;
import dev.sluice.wire.TrustSettings;
import dev.sluice.wire.WireSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the packages' records of values that are known to be good. Confined to one reading. */
final class SettingsAssembler {

  private final Values values;

  SettingsAssembler(Values values) {
    this.values = values;
  }

  Settings assemble(String fingerprint) {
    return new Settings(
        net(),
        serverTls(),
        drain(),
        wire(),
        classify(),
        admit(),
        fetch(),
        deliver(),
        reuse(),
        new SpoolSettings(values.bytes("spool.max_body"), values.bytes("spool.max_memory")),
        application(),
        admin(),
        log(),
        fingerprint);
  }

  private NetSettings net() {
    return new NetSettings(
        (Address) values.at("server.listen").value(),
        values.written("server.tls") ? (Address) values.at("server.tls.listen").value() : null,
        values.flag("server.proxy_protocol"),
        values.count("server.event_loops"),
        word("server.balance", NetSettings.Balance.class),
        word("server.transport", NetSettings.TransportChoice.class),
        values.count("server.max_connections"));
  }

  private DrainSettings drain() {
    return new DrainSettings(
        values.duration("server.graceful.drain_period"),
        values.duration("server.graceful.shutdown_timeout"),
        values.text("server.graceful.pid_file"));
  }

  private WireSettings wire() {
    return new WireSettings(
        values.flag("server.h2c"),
        (int) values.bytes("server.max_header"),
        (int) values.bytes("server.max_target"),
        (int) values.bytes("server.read_ahead"),
        values.bytes("server.request_memory"),
        values.text("server.half_close").equals("serve"),
        trust(),
        values.duration("timeouts.client_header"),
        values.duration("timeouts.client_body"),
        values.duration("timeouts.client_idle"),
        values.bytes("timeouts.client_body_min_rate"),
        values.duration("timeouts.downstream_write"),
        values.bytes("timeouts.downstream_min_rate"),
        values.duration("timeouts.origin_connect"),
        values.duration("timeouts.origin_response"),
        values.duration("timeouts.origin_read"),
        values.duration("timeouts.origin_idle"),
        word("origin.http_version", OriginProtocol.class),
        originTls());
  }

  private TrustSettings trust() {
    String section = "server.trusted_proxies";
    return values.written(section)
        ? new TrustSettings(
            values.list(section + ".from", IpNetwork.class),
            word(section + ".client_ip", TrustSettings.Source.class),
            word(section + ".scheme", TrustSettings.Source.class))
        : TrustSettings.NOBODY;
  }

  private @Nullable ServerTlsSettings serverTls() {
    String section = "server.tls";
    return values.written(section)
        ? new ServerTlsSettings(
            Path.of(values.text(section + ".cert")),
            Path.of(values.text(section + ".key")),
            values.flag(section + ".h2"),
            values.flag(section + ".session_tickets"))
        : null;
  }

  private @Nullable OriginTlsSettings originTls() {
    String section = "origin.tls";
    if (!values.written(section)) {
      return null;
    }
    String ca = values.text(section + ".ca");
    return new OriginTlsSettings(
        values.text(section + ".sni"),
        ca.isEmpty() ? null : Path.of(ca),
        values.flag(section + ".verify_cert"),
        values.flag(section + ".verify_hostname"));
  }

  private ClassifySettings classify() {
    List<Route> routes = new ArrayList<>();
    for (int i = 0; i < values.routes(); i++) {
      routes.add(route("routes[" + i + "]."));
    }
    return new ClassifySettings(
        word("framework", Framework.class),
        routes,
        values.list("server.hosts", String.class),
        values.flag("upgrade.enabled"));
  }

  private Route route(String route) {
    String own = route + "on_client_abort";
    var sharing = new SharingAssembler(values, route);
    return new Route(
        values.text(route + "id"),
        values.text(route + "match"),
        word(route + "class", RouteClass.class),
        word(route + "priority", Priority.class),
        values.count(route + "weight"),
        word(values.sound(own) ? own : "origin.on_client_abort", OnClientAbort.class),
        limits(route + "concurrency."),
        sharing.policy(),
        sharing.spools());
  }

  private RouteLimits limits(String concurrency) {
    return new RouteLimits(
        optional(concurrency + "max", Integer.class),
        optional(concurrency + "queue.max", Integer.class),
        optional(concurrency + "queue.timeout", Duration.class));
  }

  private AdmitSettings admit() {
    String concurrency = "origin.concurrency.";
    return new AdmitSettings(
        values.count(concurrency + "max"),
        values.count(concurrency + "per_upstream"),
        values.count(concurrency + "static"),
        values.count(concurrency + "streaming"),
        values.count("upgrade.max_concurrent"),
        values.count(concurrency + "queue.max"),
        values.duration(concurrency + "queue.timeout"),
        values.flag(concurrency + "queue.predict"),
        tiers("origin.priorities."),
        tiers("origin.reservations."));
  }

  private Map<Priority, Integer> tiers(String prefix) {
    Map<Priority, Integer> shares = new EnumMap<>(Priority.class);
    for (Priority tier : Priority.values()) {
      Integer share = optional(prefix + tier.code(), Integer.class);
      if (share != null) {
        shares.put(tier, share);
      }
    }
    return shares;
  }

  private FetchSettings fetch() {
    String via = values.text("server.via");
    boolean holdIsAuto = values.isAuto("origin.abandon_hold");
    return new FetchSettings(
        values.list("origin.upstreams", Address.class).stream()
            .map(address -> new Upstream(address.host(), address.port()))
            .toList(),
        word("origin.load_balancing", LoadBalancing.class),
        health(),
        identity("origin.identity."),
        values.count("origin.breaker.max_ejected_percent"),
        via.equals("none") ? null : via,
        values.duration("origin.finish_timeout"),
        holdIsAuto ? null : values.duration("origin.abandon_hold"),
        values.count("origin.max_connections"),
        values.count("origin.max_idle"),
        values.bytes("cache.max_body_size"),
        breaker("origin.breaker."),
        retry("origin.retry."));
  }

  private BreakerSettings breaker(String key) {
    return new BreakerSettings(
        values.flag(key + "enabled"),
        values.duration(key + "window"),
        values.count(key + "min_requests"),
        values.count(key + "failure_percent"),
        values.duration(key + "open_for"));
  }

  private RetrySettings retry(String key) {
    return new RetrySettings(
        values.flag(key + "enabled"),
        values.count(key + "max_attempts"),
        values.duration(key + "window"),
        values.count(key + "budget_percent"),
        values.count(key + "budget_min"));
  }

  private @Nullable Identity identity(String key) {
    return values.find(key + "path").isEmpty()
        ? null
        : new Identity(
            values.text(key + "path"),
            values.text(key + "header"),
            values.text(key + "value"),
            values.duration("timeouts.origin_connect"));
  }

  private @Nullable HealthSettings health() {
    String health = "origin.health.";
    if (values.find(health + "path").isEmpty()) {
      return null;
    }
    return new HealthSettings(
        values.text(health + "path"),
        values.duration(health + "interval"),
        values.duration(health + "timeout"),
        values.count(health + "unhealthy_after"),
        values.count(health + "healthy_after"));
  }

  private DeliverSettings deliver() {
    String file = values.text("overload.busy_page.file");
    return new DeliverSettings(
        values.count("overload.status"),
        values.duration("overload.retry_after"),
        values.flag("overload.busy_page.enabled"),
        file.isEmpty() ? null : file,
        values.duration("overload.busy_page.refresh"),
        values.flag("server.debug_headers"));
  }

  private ReuseSettings reuse() {
    String wait = "timeouts.coalesce_wait";
    return new ReuseSettings(
        new CacheSettings(
            values.bytes("cache.max_memory"),
            values.bytes("cache.max_body_size"),
            values.count("cache.max_variants"),
            values.text("cache.tag_header"),
            values.flag("cache.expose_tags"),
            values.flag("cache.honor_client_no_cache"),
            values.text("cache.purge.token")),
        new CoalesceSettings(
            values.bytes("coalesce.max_body"),
            values.count("coalesce.max_waiters"),
            values.duration("coalesce.laggard_grace"),
            values.duration("coalesce.remember"),
            values.isAuto(wait) ? null : values.duration(wait)),
        values.list("cache.encodings", String.class),
        values.text("deployment.id"));
  }

  private ApplicationSettings application() {
    Address first = values.list("origin.upstreams", Address.class).get(0);
    return new ApplicationSettings(
        values.list("origin.command", String.class), first.host(), first.port());
  }

  private AdminSettings admin() {
    return new AdminSettings(
        listener("telemetry.admin.listen"), listener("telemetry.prometheus.listen"));
  }

  private LogSettings log() {
    return new LogSettings(
        values.text("telemetry.logging.level"), values.text("telemetry.logging.access"));
  }

  private @Nullable Address listener(String key) {
    Optional<?> address = (Optional<?>) values.at(key).value();
    return (Address) address.orElse(null);
  }

  private <T> @Nullable T optional(String key, Class<T> type) {
    return values.find(key).map(value -> type.cast(value.value())).orElse(null);
  }

  private <E extends Enum<E>> E word(String key, Class<E> type) {
    return Enum.valueOf(type, values.text(key).toUpperCase(Locale.ROOT));
  }
}

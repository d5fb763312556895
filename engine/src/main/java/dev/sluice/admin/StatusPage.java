package dev.sluice.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.admin.EngineStatus.Admission;
import dev.sluice.admin.EngineStatus.Scope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /status} as JSON. Stateless. */
final class StatusPage {

  private static final JsonFactory JSON = new JsonFactory();

  private StatusPage() {}

  static byte[] of(EngineStatus status) {
    var out = new ByteArrayOutputStream(2048);
    try (JsonGenerator json = JSON.createGenerator(out).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeStringField("version", status.version());
      json.writeNumberField("generation", status.generation());
      json.writeStringField("fingerprint", status.fingerprint());
      json.writeStringField("reload_refused", status.reloadRefused());
      json.writeBooleanField("ready", status.ready());
      json.writeBooleanField("draining", status.draining());
      json.writeNumberField("uptime_ms", status.uptimeMillis());
      listeners(status, json);
      features(status, json);
      arrivals(status.arrivals(), json);
      json.writeObjectFieldStart("admission");
      for (Map.Entry<String, Admission> entry : status.admissions().entrySet()) {
        admission(entry.getKey(), entry.getValue(), json);
      }
      json.writeEndObject();
      work(status.work(), json);
      upstreams(status, json);
      application(status.application(), json);
      connections(status, json);
      http2(status.http2(), json);
      cache(status.cache(), json);
      memory(status.memory(), json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void features(EngineStatus status, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("features");
    json.writeStringField("transport", status.transport());
    json.writeStringField("tls", status.tls());
    json.writeStringField("java", System.getProperty("java.version"));
    json.writeEndObject();
  }

  private static void listeners(EngineStatus status, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("listeners");
    for (EngineStatus.Listener listener : status.listeners()) {
      json.writeStartObject();
      json.writeStringField("name", listener.name());
      json.writeStringField("host", listener.host());
      json.writeNumberField("port", listener.port());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void arrivals(EngineStatus.Arrivals arrivals, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart("arrivals");
    json.writeNumberField("tls_handshakes", arrivals.handshakes());
    json.writeObjectFieldStart("tls_failures");
    for (Map.Entry<String, Long> fault : arrivals.faults().entrySet()) {
      json.writeNumberField(fault.getKey(), fault.getValue());
    }
    json.writeEndObject();
    json.writeNumberField("proxy_headers_refused", arrivals.proxyRefusals());
    json.writeEndObject();
  }

  private static void admission(String name, Admission admission, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    scope(admission.global(), json);
    json.writeNumberField("grants", admission.grants());
    json.writeNumberField("longest_drain_us", admission.longestDrainNanos() / 1000);
    json.writeObjectFieldStart("shed");
    for (Map.Entry<String, Long> shed : admission.sheds().entrySet()) {
      json.writeNumberField(shed.getKey(), shed.getValue());
    }
    json.writeEndObject();
    scopes("tiers", admission.tiers(), json);
    scopes("routes", admission.routes(), json);
    json.writeEndObject();
  }

  private static void scopes(String name, Map<String, Scope> scopes, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, Scope> entry : scopes.entrySet()) {
      json.writeObjectFieldStart(entry.getKey());
      scope(entry.getValue(), json);
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void scope(Scope scope, JsonGenerator json) throws IOException {
    if (scope.isLimited()) {
      json.writeNumberField("limit", scope.limit());
    } else {
      json.writeNullField("limit");
    }
    json.writeNumberField("in_flight", scope.inFlight());
    json.writeNumberField("waiting", scope.waiting());
  }

  private static void work(EngineStatus.Work work, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("work");
    json.writeNumberField("exchanges", work.exchanges());
    json.writeNumberField("flights", work.flights());
    json.writeNumberField("boardable_flights", work.boardable());
    json.writeNumberField("refreshes", work.refreshes());
    json.writeEndObject();
  }

  private static void upstreams(EngineStatus status, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("upstreams");
    for (EngineStatus.Upstream upstream : status.upstreams()) {
      upstream(upstream, json);
    }
    json.writeEndArray();
  }

  private static void upstream(EngineStatus.Upstream upstream, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("address", upstream.address());
    json.writeArrayFieldStart("resolved");
    for (String address : upstream.addresses()) {
      json.writeString(address);
    }
    json.writeEndArray();
    EngineStatus.Fitness fitness = upstream.fitness();
    json.writeBooleanField("in_use", fitness.inUse());
    json.writeBooleanField("removed", fitness.removed());
    json.writeBooleanField("healthy", fitness.healthy());
    json.writeBooleanField("ejected", fitness.ejected());
    json.writeStringField("last_probe", fitness.lastProbe());
    json.writeNumberField("failed_probes", fitness.failedProbes());
    json.writeNumberField("connections", upstream.connections());
    json.writeNumberField("idle", upstream.idle());
    json.writeNumberField("in_flight", upstream.inFlight());
    if (upstream.latencyMicros() < 0) {
      json.writeNullField("latency_ms");
    } else {
      json.writeNumberField("latency_ms", upstream.latencyMicros() / 1000.0);
    }
    if (upstream.units() != null) {
      json.writeNumberField("units", upstream.units().inFlight());
      json.writeNumberField("units_limit", upstream.units().limit());
    }
    breaker(upstream.breaker(), json);
    json.writeEndObject();
  }

  private static void breaker(EngineStatus.Breaker breaker, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("breaker");
    json.writeStringField("state", breaker.state());
    json.writeNumberField("failures", breaker.failures());
    json.writeNumberField("attempts", breaker.attempts());
    json.writeNumberField("trips", breaker.trips());
    json.writeEndObject();
  }

  private static void application(
      EngineStatus.@Nullable Application application, JsonGenerator json) throws IOException {
    if (application == null) {
      json.writeNullField("application");
      return;
    }
    json.writeObjectFieldStart("application");
    json.writeStringField("state", application.state());
    json.writeNumberField("pid", application.pid());
    json.writeNumberField("restarts", application.restarts());
    Integer lastExit = application.lastExit();
    if (lastExit == null) {
      json.writeNullField("last_exit");
    } else {
      json.writeNumberField("last_exit", lastExit);
    }
    json.writeEndObject();
  }

  private static void connections(EngineStatus status, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("connections_per_loop");
    for (int count : status.connectionsPerLoop()) {
      json.writeNumber(count);
    }
    json.writeEndArray();
  }

  private static void http2(EngineStatus.Http2 http2, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("http2");
    json.writeNumberField("connections", http2.connections());
    json.writeNumberField("streams", http2.streams());
    json.writeNumberField("streams_refused", http2.refused());
    json.writeNumberField("client_resets", http2.clientResets());
    json.writeNumberField("our_resets", http2.ourResets());
    json.writeObjectFieldStart("goaways");
    for (Map.Entry<String, Long> reason : http2.goAways().entrySet()) {
      json.writeNumberField(reason.getKey(), reason.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void cache(EngineStatus.Cache cache, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("cache");
    json.writeNumberField("entries", cache.entries());
    json.writeNumberField("variants", cache.variants());
    json.writeNumberField("bytes", cache.bytes());
    json.writeNumberField("max_bytes", cache.max());
    json.writeNumberField("pinned_bytes", cache.pinned());
    json.writeNumberField("evictions", cache.evictions());
    json.writeNumberField("purges", cache.purges());
    json.writeNumberField("purged_entries", cache.purged());
    json.writeEndObject();
  }

  private static void memory(EngineStatus.Memory memory, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("memory");
    json.writeNumberField("heap_used", memory.heapUsed());
    json.writeNumberField("heap_max", memory.heapMax());
    json.writeNumberField("direct_used", memory.directUsed());
    json.writeNumberField("request_bytes_held", memory.requestBytesHeld());
    json.writeNumberField("spool_bytes_held", memory.spoolHeld());
    json.writeNumberField("spool_bytes_max", memory.spoolMax());
    json.writeEndObject();
  }
}

package dev.sluice.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;

/** The fields of an access line. An allow list: nothing of a request is logged that is not here. */
final class AccessLine {

  private AccessLine() {}

  static void write(Timeline exchange, Instant now, JsonFactory json, OutputStream out)
      throws IOException {
    try (JsonGenerator line =
        json.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      line.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
      line.writeStartObject();
      line.writeStringField("time", now.toString());
      request(exchange, line);
      answer(exchange, line);
      times(exchange, line);
      line.writeStringField("party", exchange.ending().party().code());
      line.writeStringField("stage", exchange.ending().stage().code());
      line.writeStringField("cause", exchange.ending().cause().code());
      line.writeEndObject();
    }
    out.write('\n');
  }

  private static void request(Timeline exchange, JsonGenerator line) throws IOException {
    line.writeStringField("method", exchange.method());
    line.writeStringField("path", exchange.path());
    line.writeStringField("query", exchange.queryNames());
    line.writeStringField("route", exchange.route());
    line.writeStringField("class", exchange.requestClass());
    line.writeStringField("route_class", exchange.routeClass());
    line.writeStringField("tier", exchange.tier());
    line.writeStringField("client", exchange.client());
    line.writeStringField("scheme", exchange.scheme());
  }

  private static void answer(Timeline exchange, JsonGenerator line) throws IOException {
    line.writeNumberField("status", exchange.status());
    line.writeNumberField("bytes", exchange.bytes());
    line.writeStringField("cache", exchange.reachedOrigin() ? "bypass" : "-");
    line.writeStringField("bypass_reason", "-");
    line.writeStringField("upstream", exchange.upstream());
    line.writeNumberField("attempts", exchange.attempts());
    line.writeBooleanField("reused_connection", exchange.isReusedConnection());
    line.writeStringField("permit_released", exchange.permitReleased());
    line.writeStringField("spool", "-");
    line.writeBooleanField("shed", exchange.isShed());
    line.writeNumberField("generation", exchange.generation());
  }

  private static void times(Timeline exchange, JsonGenerator line) throws IOException {
    line.writeNumberField("queue_ms", millis(exchange.queueNanos()));
    line.writeNumberField("head_ms", millis(exchange.headNanos()));
    line.writeNumberField("origin_ms", millis(exchange.originNanos()));
    line.writeNumberField("total_ms", millis(exchange.totalNanos()));
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1e4) / 100.0;
  }
}

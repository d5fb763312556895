package dev.sluice.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;

/**
 * Writes access lines into a buffer. The fields are an allow list: nothing of a request is logged
 * that is not here. Lines are plain ASCII, so no byte of a client's reaches a terminal or ends a
 * line. Confined to the log's writer.
 */
final class AccessLine {

  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .rootValueSeparator((String) null)
          .build();
  private static final int NUMBER_LENGTH = 24;

  private final JsonGenerator line;
  private final char[] number = new char[NUMBER_LENGTH];
  private long second = Long.MIN_VALUE;
  private String secondText = "";

  AccessLine(ByteArrayOutputStream buffer) throws IOException {
    this.line = JSON.createGenerator(buffer);
  }

  /** Appends one whole line. */
  void write(Timeline exchange) throws IOException {
    line.writeStartObject();
    line.writeStringField("time", time(exchange.endedEpochMillis()));
    request(exchange);
    answer(exchange);
    millis("queue_ms", exchange.queueNanos());
    millis("head_ms", exchange.headNanos());
    millis("origin_ms", exchange.originNanos());
    millis("total_ms", exchange.totalNanos());
    line.writeStringField("party", exchange.ending().party().code());
    line.writeStringField("stage", exchange.ending().stage().code());
    line.writeStringField("cause", exchange.ending().cause().code());
    line.writeEndObject();
    line.writeRaw('\n');
    line.flush();
  }

  private void request(Timeline exchange) throws IOException {
    line.writeStringField("method", exchange.method());
    line.writeStringField("path", exchange.path());
    line.writeStringField("query", exchange.queryNames());
    line.writeStringField("route", exchange.route());
    line.writeStringField("class", exchange.requestClass());
    line.writeStringField("route_class", exchange.routeClass());
    line.writeStringField("tier", exchange.tier());
    line.writeStringField("client", exchange.client());
    line.writeStringField("scheme", exchange.scheme());
    line.writeStringField("protocol", exchange.protocol().code());
  }

  private void answer(Timeline exchange) throws IOException {
    line.writeNumberField("status", exchange.status());
    line.writeNumberField("bytes", exchange.bytes());
    line.writeNumberField("bytes_received", exchange.bytesReceived());
    line.writeStringField("cache", exchange.reuse().code());
    line.writeStringField("bypass_reason", exchange.bypassReason());
    line.writeStringField("upstream", exchange.upstream());
    line.writeNumberField("attempts", exchange.attempts());
    line.writeBooleanField("reused_connection", exchange.isReusedConnection());
    line.writeStringField("permit_released", exchange.permitReleased());
    line.writeStringField("spool", exchange.spool().code());
    line.writeBooleanField("shed", exchange.isShed());
    line.writeNumberField("generation", exchange.generation());
  }

  /** RFC 3339 with milliseconds; the part that changes once a second is kept. */
  private String time(long epochMillis) {
    long now = Math.floorDiv(epochMillis, 1000L);
    if (now != second) {
      second = now;
      String text = Instant.ofEpochSecond(now).toString();
      secondText = text.substring(0, text.length() - 1);
    }
    int millis = (int) Math.floorMod(epochMillis, 1000L);
    return secondText + (millis < 10 ? ".00" : millis < 100 ? ".0" : ".") + millis + "Z";
  }

  /** Milliseconds with three places, without the cost of a double's shortest form. */
  private void millis(String name, long nanos) throws IOException {
    long micros = Math.max(0, nanos) / 1000;
    int at = NUMBER_LENGTH;
    for (int place = 0; place < 3; place++) {
      number[--at] = (char) ('0' + micros % 10);
      micros /= 10;
    }
    number[--at] = '.';
    do {
      number[--at] = (char) ('0' + micros % 10);
      micros /= 10;
    } while (micros > 0);
    line.writeFieldName(name);
    line.writeNumber(number, at, NUMBER_LENGTH - at);
  }
}

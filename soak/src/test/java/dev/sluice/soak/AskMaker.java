package dev.sluice.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.fixture.Bodies;
import dev.sluice.soak.Ask.Kind;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Makes the mix up, from one seed. Confined to one thread. */
final class AskMaker implements Asks {

  /** Stays below what {@code origin.abandon_hold} covers, so that a stuck render ends within. */
  private static final int RENDER_MILLIS = 120;

  private static final int FAIL_PERCENT = 12;

  /** Below what a turned away upload may still send before its connection is cut (256 KiB). */
  private static final int UPLOAD_BYTES = 180_000;

  private static final List<String> FAILURES =
      List.of(
          "reset",
          "close",
          "half-head",
          "garbage",
          "big-head",
          "two-lengths",
          "short",
          "short-reset",
          "long",
          "cut-chunks",
          "bad-chunk",
          "stall",
          "hang");

  private final Random random;

  AskMaker(Random random) {
    this.random = random;
  }

  @Override
  public Ask next(boolean endless) {
    int dice = random.nextInt(100);
    if (dice < 40) {
      return page();
    }
    if (dice < 52) {
      return chunked();
    }
    if (dice < 64) {
      return events(endless);
    }
    if (dice < 76) {
      return upload();
    }
    if (dice < 88) {
      return chunkedUpload();
    }
    return slowReader();
  }

  /** A page that renders for a moment; one in eight breaks off. */
  @Override
  public Ask page() {
    int bytes = size();
    boolean fails = random.nextInt(100) < FAIL_PERCENT;
    String failure = fails ? FAILURES.get(random.nextInt(FAILURES.size())) : "";
    String more = fails ? "&fail=" + failure : random.nextInt(30) == 0 ? "&then=close" : "";
    return get(Kind.PAGE, path(), "bytes=" + Math.max(2, bytes) + more, bytes, failure, 0);
  }

  private Ask chunked() {
    int bytes = size();
    String parts = "&chunks=" + (1 + random.nextInt(8)) + "&every=" + (1 + random.nextInt(15));
    String query = "bytes=" + bytes + "&framing=chunked" + parts;
    return get(Kind.CHUNKED, path(), query, bytes, "", 0);
  }

  private Ask events(boolean endless) {
    int count = 1 + random.nextInt(10);
    String path = "/events/" + random.nextInt(1_000_000);
    String chunks = endless ? "" : "&chunks=" + count;
    String target = path + "?sse=1&every=" + (5 + random.nextInt(30)) + chunks;
    var expected = new StringBuilder();
    for (int i = 1; i <= count; i++) {
      expected.append("id: ").append(i).append("\ndata: event ").append(i).append("\n\n");
    }
    byte[] request = head("GET", target, "Accept: text/event-stream\r\n").getBytes(US_ASCII);
    return new Ask(Kind.EVENTS, request, expected.toString().getBytes(US_ASCII), "", 0);
  }

  private Ask upload() {
    byte[] body = Bodies.expected("upload" + random.nextInt(), random.nextInt(UPLOAD_BYTES));
    String fields = "Content-Length: " + body.length + "\r\n";
    return upload(Kind.UPLOAD, fields, body, body);
  }

  private Ask chunkedUpload() {
    byte[] body = Bodies.expected("upload" + random.nextInt(), random.nextInt(UPLOAD_BYTES));
    var framed = new ByteArrayOutputStream();
    for (int at = 0; at < body.length; ) {
      int step = Math.min(body.length - at, 1 + random.nextInt(20_000));
      framed.writeBytes((Integer.toHexString(step) + "\r\n").getBytes(US_ASCII));
      framed.write(body, at, step);
      framed.writeBytes("\r\n".getBytes(US_ASCII));
      at += step;
    }
    framed.writeBytes("0\r\n\r\n".getBytes(US_ASCII));
    return upload(
        Kind.CHUNKED_UPLOAD, "Transfer-Encoding: chunked\r\n", body, framed.toByteArray());
  }

  private Ask upload(Kind kind, String fields, byte[] body, byte[] framed) {
    boolean early = random.nextInt(20) == 0 && body.length > 100_000;
    String work = early ? "&fail=early" : "&upload=1&ms=" + random.nextInt(RENDER_MILLIS);
    String pace = random.nextInt(4) == 0 ? "&pace=" + random.nextInt(20) : "";
    var request = new ByteArrayOutputStream();
    String target = "/form/" + random.nextInt(1_000_000) + "?x=1" + work + pace;
    request.writeBytes(head("POST", target, fields).getBytes(US_ASCII));
    request.writeBytes(framed);
    String expected = "{\"length\":" + body.length + ",\"sha256\":\"" + sha256(body) + "\"}\n";
    return new Ask(
        kind, request.toByteArray(), expected.getBytes(US_ASCII), early ? "early" : "", 0);
  }

  private Ask slowReader() {
    int bytes = 150_000 + random.nextInt(450_000);
    int step = 8_192 + random.nextInt(24_000);
    return get(Kind.SLOW_READER, path(), "bytes=" + bytes, bytes, "", step);
  }

  private Ask get(Kind kind, String path, String query, int bytes, String failure, int step) {
    String stick = random.nextInt(3) == 0 ? "&stick=1" : "";
    String target = path + "?" + query + "&ms=" + random.nextInt(RENDER_MILLIS) + stick;
    byte[] expected = Bodies.expected(path, bytes);
    return new Ask(kind, head("GET", target, "").getBytes(US_ASCII), expected, failure, step);
  }

  /** Under {@code /close} the configuration ends the origin's work with its client. */
  private String path() {
    return (random.nextBoolean() ? "/page/" : "/close/") + random.nextInt(1_000_000);
  }

  private int size() {
    return 2 + (random.nextInt(10) == 0 ? random.nextInt(1_000_000) : random.nextInt(30_000));
  }

  private static String head(String method, String target, String fields) {
    return method + " " + target + " HTTP/1.1\r\nHost: soak.test\r\n" + fields + "\r\n";
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}

package dev.sluice.bench.journey;

import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.wire.http1.RequestParser;
import dev.sluice.wire.http1.RequestParser.Request;
import dev.sluice.wire.http1.ResponseParser;
import java.nio.charset.StandardCharsets;

/** Heads as real clients and origins write them. Stateless. */
public final class Requests {

  /** Field lines of the browser's head. */
  public static final int BROWSER_FIELDS = 19;

  private static final int MAX_TARGET = 8 << 10;

  /** What the framework's client computes for the fields of {@link #prefetch}. */
  private static final String RSC = "_rsc=5CB68i4pnAekjehf";

  private Requests() {}

  /** What wrk sends. */
  public static String wrk(String target) {
    return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n";
  }

  /** What a browser sends, as NGINX passes it on. */
  public static String browser(String target) {
    return lines(
        "GET " + target + " HTTP/1.1",
        """
        Host: www.shop.example
        X-Real-IP: 203.0.113.24
        X-Forwarded-For: 203.0.113.24
        X-Forwarded-Proto: https
        Connection: keep-alive
        sec-ch-ua: "Chromium";v="156", "Not(A:Brand";v="24", "Google Chrome";v="156"
        sec-ch-ua-mobile: ?0
        sec-ch-ua-platform: "Windows"
        Upgrade-Insecure-Requests: 1
        User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
        Chrome/156.0.0.0 Safari/537.36
        Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8
        Sec-Fetch-Site: same-origin
        Sec-Fetch-Mode: navigate
        Sec-Fetch-User: ?1
        Sec-Fetch-Dest: document
        Referer: https://www.shop.example/
        Accept-Encoding: gzip, deflate, br, zstd
        Accept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7
        Cookie: _ga=GA1.1.1234567890.1700000000; _ga_ABCDEFGHIJ=GS1.1.1700000000.1.0.1700000000.0.0.0
        """);
  }

  /** What the framework's client sends for a link that came into view. */
  public static String prefetch(String path) {
    return lines(
        "GET " + path + "?" + RSC + " HTTP/1.1",
        """
        Host: www.shop.example
        User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
        Chrome/156.0.0.0 Safari/537.36
        Accept: */*
        rsc: 1
        next-router-prefetch: 1
        next-router-segment-prefetch: /_tree
        next-url: /
        Sec-Fetch-Site: same-origin
        Sec-Fetch-Mode: cors
        Sec-Fetch-Dest: empty
        Accept-Encoding: gzip, deflate, br, zstd
        """);
  }

  /** A page that Next.js prerendered: it may be shared by its own word. */
  public static ResponseHead prerendered(int bodyBytes) {
    return answer(
        """
        Vary: rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, \
        Accept-Encoding
        x-nextjs-cache: HIT
        x-nextjs-prerender: 1
        x-nextjs-stale-time: 300
        X-Powered-By: Next.js
        Cache-Control: s-maxage=60, stale-while-revalidate=31535940
        ETag: "14hqn4xk9i51h8r"
        Content-Type: text/html; charset=utf-8
        Date: Mon, 30 Nov 2026 12:00:00 GMT
        Connection: keep-alive
        Keep-Alive: timeout=5
        """
            + "Content-Length: "
            + bodyBytes
            + "\n");
  }

  /** A page that Next.js renders for each request: nobody else's by its word. */
  public static ResponseHead rendered(String more) {
    return answer(
        """
        Vary: rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, \
        Accept-Encoding
        X-Powered-By: Next.js
        Cache-Control: private, no-cache, no-store, max-age=0, must-revalidate
        Content-Type: text/html; charset=utf-8
        Date: Mon, 30 Nov 2026 12:00:00 GMT
        Connection: keep-alive
        Keep-Alive: timeout=5
        Transfer-Encoding: chunked
        """
            + more);
  }

  /** Its octets on the wire. */
  public static byte[] octets(String message) {
    return message.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The head as the engine reads it. */
  public static RequestHead head(String request) {
    byte[] octets = octets(request);
    if (RequestParser.parse(octets, linesOf(octets), MAX_TARGET) instanceof Request read) {
      return read.head();
    }
    throw new IllegalArgumentException("refused: " + request + " (expected: a well-formed head)");
  }

  private static ResponseHead answer(String fields) {
    byte[] octets = octets(lines("HTTP/1.1 200 OK", fields));
    var read = ResponseParser.parse(octets, linesOf(octets), false);
    if (read == null) {
      throw new IllegalArgumentException("refused: " + fields + " (expected: well-formed fields)");
    }
    return read.head();
  }

  private static String lines(String first, String fields) {
    return first + "\r\n" + fields.replace("\n", "\r\n") + "\r\n";
  }

  private static int linesOf(byte[] octets) {
    int lines = 0;
    for (byte octet : octets) {
      lines += octet == '\n' ? 1 : 0;
    }
    return lines;
  }
}

package dev.sluice.scenarios;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * What the Next.js client's router asks, as Chromium was seen to send it: fields that select the
 * payload, and {@code _rsc}, their digest, last in the query. Immutable.
 *
 * @param path with a query or without one
 * @param prefetch {@code next-router-prefetch}; empty = not sent, as for the next three
 * @param segment {@code next-router-segment-prefetch}
 * @param tree {@code next-router-state-tree}, escaped
 * @param from {@code next-url}, the page that asks
 */
record RouterRequest(String path, String prefetch, String segment, String tree, String from) {

  /** Of a dynamic page, its head alone. */
  private static final String METADATA_ONLY = "%5B%22%22%2C%7B%7D%2Cnull%2C%22metadata-only%22%5D";

  private static final int DIGEST_OCTETS = 12;

  /** The whole page, for a navigation. */
  static RouterRequest navigation(String path, String tree, String from) {
    return new RouterRequest(path, "", "", tree, from);
  }

  /** One segment of a page that a link in view leads to. */
  static RouterRequest segment(String path, String segment, String from) {
    return new RouterRequest(path, "1", segment, "", from);
  }

  /** The head of a page that is rendered per request and that a link in view leads to. */
  static RouterRequest metadata(String path, String from) {
    return new RouterRequest(path, "1", "", METADATA_ONLY, from);
  }

  /** As bytes on a connection that goes on. */
  String text() {
    var fields = new StringBuilder();
    add(fields, "rsc", "1");
    add(fields, "next-router-state-tree", tree);
    add(fields, "next-router-segment-prefetch", segment);
    add(fields, "next-router-prefetch", prefetch);
    add(fields, "next-url", from);
    return "GET "
        + path
        + (path.contains("?") ? "&" : "?")
        + parameter()
        + " HTTP/1.1\r\nHost: shop.example\r\n"
        + fields
        + "Accept: */*\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n\r\n";
  }

  private static void add(StringBuilder fields, String name, String value) {
    if (!value.isEmpty()) {
      fields.append(name).append(": ").append(value).append("\r\n");
    }
  }

  /** Twelve octets of a SHA-256 over the selectors; bare where there are none. */
  private String parameter() {
    if (Stream.of(prefetch, segment, tree, from).allMatch(String::isEmpty)) {
      return "_rsc";
    }
    var selectors = new StringJoiner(",");
    for (String value : new String[] {prefetch, segment, tree, from}) {
      selectors.add(value.isEmpty() ? "0" : value);
    }
    byte[] digest = sha256().digest(selectors.toString().getBytes(StandardCharsets.UTF_8));
    return "_rsc=" + Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, DIGEST_OCTETS));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

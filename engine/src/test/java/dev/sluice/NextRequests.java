package dev.sluice;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Requests as a Next.js client makes them (NEXTJS_FACTS 1). Stateless. */
final class NextRequests {

  static final String RSC = "RSC: 1";
  static final String PREFETCH = "Next-Router-Prefetch: 1";

  private NextRequests() {}

  /** The target of a payload request with these selectors; empty = the field is absent. */
  static String payload(
      String path, String prefetch, String segment, String stateTree, String nextUrl) {
    String selectors = String.join(",", or0(prefetch), or0(segment), or0(stateTree), or0(nextUrl));
    boolean none = selectors.equals("0,0,0,0");
    return path + "?_rsc" + (none ? "" : "=" + digest(selectors));
  }

  /** A payload request without any selector. */
  static String payload(String path) {
    return payload(path, "", "", "", "");
  }

  private static String or0(String value) {
    return value.isEmpty() ? "0" : value;
  }

  private static String digest(String text) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, 12));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

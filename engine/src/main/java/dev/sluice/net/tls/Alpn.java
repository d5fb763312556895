package dev.sluice.net.tls;

import java.util.List;

/** The protocols' names in ALPN (RFC 7301 6, RFC 9113 3.1). */
public final class Alpn {

  public static final String HTTP_1 = "http/1.1";
  public static final String HTTP_2 = "h2";

  /** HTTP/1.1 alone. */
  public static final List<String> ONLY_HTTP_1 = List.of(HTTP_1);

  /** Both, HTTP/2 first. */
  public static final List<String> BOTH = List.of(HTTP_2, HTTP_1);

  private Alpn() {}
}

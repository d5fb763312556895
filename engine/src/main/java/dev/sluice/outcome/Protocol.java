package dev.sluice.outcome;

/** What a client speaks, by the names of ALPN (RFC 7301 6). */
public enum Protocol {
  HTTP_1_0("http/1.0"),
  HTTP_1_1("http/1.1"),
  HTTP_2("h2");

  private final String code;

  Protocol(String code) {
    this.code = code;
  }

  /** As the access log has it. */
  public String code() {
    return code;
  }
}

package dev.sluice.net.tls;

import java.io.IOException;

/** A certificate or key file does not serve; the message is one line, with the file's name. */
public final class PemFault extends IOException {

  private static final long serialVersionUID = 1L;

  private final String remedy;

  PemFault(String message, String remedy) {
    super(message);
    this.remedy = remedy;
  }

  /** What the operator can do about it; may be empty. */
  public String remedy() {
    return remedy;
  }
}

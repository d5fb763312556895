package dev.sluice.net;

import org.jspecify.annotations.Nullable;

/** An address could not be bound; the message is one line for the operator. */
public final class BindFailure extends Exception {

  private static final long serialVersionUID = 1L;

  BindFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package dev.sluice.cli;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and, if there is one, one line for the operator. */
final class Stop extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  Stop(int exitCode, @Nullable String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}

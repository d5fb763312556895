package dev.sluice.cli;

/** What the program's exit codes mean; docs/OPERATIONS.md lists them. */
final class ExitCode {

  static final int OK = 0;

  /** The program failed: an address in use, a file that cannot be written, a bug. */
  static final int FAILED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** The configuration is missing, cannot be read or has errors. */
  static final int CONFIGURATION = 3;

  private ExitCode() {}
}

package dev.sluice.cli;

/** The program's commands. Stateless. */
public final class Cli {

  private Cli() {}

  /** Runs one command; returns the exit code. */
  public static int run(String[] args) {
    return args.length;
  }
}

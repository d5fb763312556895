package dev.sluice.application;

import java.util.List;

/**
 * The application that is started with the proxy. Immutable.
 *
 * @param command program and arguments; empty = none is started
 * @param host where it listens once it is up
 */
public record ApplicationSettings(List<String> command, String host, int port) {

  public ApplicationSettings {
    command = List.copyOf(command);
  }

  /** The same without an application. */
  public ApplicationSettings without() {
    return new ApplicationSettings(List.of(), host, port);
  }

  /** Whether there is one. */
  public boolean isThere() {
    return !command.isEmpty();
  }
}

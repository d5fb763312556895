package dev.sluice.admin;

/** The engine as the operator's pages see it. Thread-safe. */
public interface StatusSource {

  /** Whether it serves; answered at once. */
  boolean isReady();

  /** Whether the application that it started listens, or is none of its; answered at once. */
  boolean isApplicationUp();

  /** Whether readiness fails on purpose; answered at once. */
  boolean isDraining();

  /** Everything at this moment; may wait a little for admission to come to rest. */
  EngineStatus status();
}

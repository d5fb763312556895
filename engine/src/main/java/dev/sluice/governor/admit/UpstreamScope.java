package dev.sluice.governor.admit;

/** What admission knows of one upstream: the units charged to it. The drain's. */
final class UpstreamScope {

  final String id;
  int used;
  boolean inUse;

  UpstreamScope(String id) {
    this.id = id;
  }

  /** Whether it may be forgotten. */
  boolean isOver() {
    return !inUse && used == 0;
  }
}

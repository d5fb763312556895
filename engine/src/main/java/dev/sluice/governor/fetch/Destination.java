package dev.sluice.governor.fetch;

/**
 * Where a flight's attempts go: an upstream that was chosen at its grant, and another for an
 * attempt elsewhere. Confined to the flight's loop.
 */
public interface Destination {

  /** Where the first attempt goes. */
  UpstreamState first();

  /**
   * Another that was not asked yet; where upstreams have ceilings, the flight's charge has moved
   * there (BEY-23). One of the two callbacks follows, possibly before this returns; none does once
   * the flight gave its permit back.
   */
  void elsewhere(Elsewhere taker);

  /** Whether others find no place to wait for the origin, so that no work is to be added (A03). */
  boolean isCrowded();

  /** Who wants to go elsewhere. */
  interface Elsewhere {
    void to(UpstreamState next);

    /** Nobody else is in use, or nobody has room. */
    void nowhere();
  }
}

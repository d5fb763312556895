package dev.sluice.governor.admit;

import java.util.List;

/**
 * Which upstream a flight goes to, of those in use: asked at the grant, among those with room
 * (DEC-30, BEY-23). It stands for one set of upstreams; another set is another choice. Called
 * inside the drain: it takes no lock, makes no object and calls nobody back.
 */
public interface UpstreamChoice {

  /** None has room. */
  int NONE = -1;

  /** The labels of those in use, at least one; a place in this list is what the choice names. */
  List<String> inUse();

  /** How many are configured, in use or not. */
  int configured();

  /**
   * The place of one that has room, or {@link #NONE}.
   *
   * @param affinity what the flight asks for, as a number; equal requests have equal ones
   */
  int choose(long affinity, Charges charges);

  /** What is charged to each of those in use; valid during the call. */
  interface Charges {
    int used(int at);

    boolean hasRoom(int at);
  }
}

package dev.sluice.chaos.toxiproxy;

/** When bytes go on, and how many together. Confined to the connection's event loop. */
interface Pace {

  /** How many of so many bytes go on together; at least one. */
  int piece(int bytes);

  /** When a piece of so many bytes goes on that came now, behind one that goes at {@code last}. */
  long dueNanos(long now, long last, int bytes);
}

package dev.sluice.governor.fetch;

/**
 * One path always to the same upstream, so that its own render cache stays warm (ORG-03, ORG-34):
 * rendezvous hashing, in which each upstream draws a number for the path and the highest has it. An
 * upstream that comes or goes moves only the paths that it wins or had, which a modulus does not
 * and a ring of points does only roughly; there is no table to rebuild, and with tens of upstreams
 * one look at each is cheaper than a search in thousands of points.
 *
 * <p>The load is bounded: an upstream at 1.25 times the mean of those in use is passed over, and
 * the next highest has the flight (Mirrokni, Thorup, Zadimoghaddam: Consistent Hashing with Bounded
 * Loads). Below {@link #SMALL_LOAD} flights nobody is passed over: that is no load worth a cold
 * cache. Immutable.
 */
final class HashByPath implements Balance {

  private static final int SMALL_LOAD = 8;
  private static final long MIX_1 = 0xff51afd7ed558ccdL;
  private static final long MIX_2 = 0xc4ceb9fe1a85ec53L;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  @Override
  public int choose(long affinity, long nowNanos, Candidates among) {
    int bound = bound(among);
    int within = NONE;
    int beyond = NONE;
    long highestWithin = 0;
    long highestBeyond = 0;
    for (int at = 0; at < among.size(); at++) {
      if (!among.isEligible(at)) {
        continue;
      }
      long drawn = mix(affinity ^ among.seed(at));
      if (among.inFlight(at) < bound) {
        if (within == NONE || drawn > highestWithin) {
          within = at;
          highestWithin = drawn;
        }
      } else if (beyond == NONE || drawn > highestBeyond) {
        beyond = at;
        highestBeyond = drawn;
      }
    }
    return within == NONE ? beyond : within;
  }

  @Override
  public boolean readsPath() {
    return true;
  }

  /** 1.25 times the mean, this flight counted, rounded up. */
  private static int bound(Candidates among) {
    long inFlight = 1;
    for (int at = 0; at < among.size(); at++) {
      inFlight += among.inFlight(at);
    }
    long parts = 4L * among.size();
    return (int) Math.max(SMALL_LOAD, (inFlight * 5 + parts - 1) / parts);
  }

  /** A number for {@code text}: FNV-1a over its characters, then mixed. */
  static long hash(String text) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mix(hash);
  }

  /** MurmurHash3's finalizer: each bit of the input moves half of the output's. */
  private static long mix(long bits) {
    long mixed = (bits ^ bits >>> 33) * MIX_1;
    mixed = (mixed ^ mixed >>> 33) * MIX_2;
    return mixed ^ mixed >>> 33;
  }
}

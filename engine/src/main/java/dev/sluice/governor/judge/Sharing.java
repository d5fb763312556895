package dev.sluice.governor.judge;

import dev.sluice.http.caching.Lifetime;
import dev.sluice.outcome.BypassReason;

/** Who may have an origin's answer: exactly one of three. Immutable. */
public sealed interface Sharing {

  /** One answer for each case, so that a new case breaks the build of whoever reads this. */
  interface Cases<R> {
    R alone(Alone alone);

    R together(Together together);

    R kept(Kept kept);
  }

  /** Calls the one of {@code cases} that fits. */
  <R> R match(Cases<R> cases);

  /** Nobody but the one who asked. */
  record Alone(BypassReason reason) implements Sharing {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.alone(this);
    }
  }

  /** Those aboard share it; nothing is stored. */
  record Together(BypassReason notKept) implements Sharing {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.together(this);
    }
  }

  /**
   * It is stored.
   *
   * @param rights by what right, bits of {@link Rights}
   * @param aboard whether those aboard have it as it comes; else it serves nobody before the origin
   *     has confirmed it
   */
  record Kept(Lifetime lifetime, int rights, boolean aboard) implements Sharing {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.kept(this);
    }
  }
}

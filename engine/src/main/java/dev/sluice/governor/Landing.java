package dev.sluice.governor;

import dev.sluice.flow.ReadableBody;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.ResponseHead;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Reuse;
import dev.sluice.wire.Tunnel;
import org.jspecify.annotations.Nullable;

/** What a passenger is told when its flight lands (DEC-35). */
sealed interface Landing {

  /** One answer for each case, so that a new case breaks the build of whoever reads this. */
  interface Cases {
    void answered(Answered answered);

    void switched(Switched switched);

    void stored(Stored stored);

    void serverError(ServerError error);

    void shed(Shed shed);

    void failed(Failed failed);

    void released(Released released);

    void again(Again again);

    void tooLate(TooLate tooLate);
  }

  /** Calls the one of {@code cases} that fits. */
  void match(Cases cases);

  /** The passenger has gone meanwhile: what the landing holds is let go. */
  default void discard() {}

  /**
   * The origin's answer; the body's bytes follow.
   *
   * @param how by whose asking
   * @param reason why nobody else gets it, or null
   * @param notKept why it is shared and not kept, as far as that is known; or null
   * @param ageMillis its age, for those who did not ask themselves
   */
  record Answered(
      ResponseHead head,
      ReadableBody body,
      Reuse how,
      @Nullable BypassReason reason,
      @Nullable BypassReason notKept,
      long ageMillis)
      implements Landing {
    @Override
    public void match(Cases cases) {
      cases.answered(this);
    }

    /** What the client and the log are told. */
    @Nullable BypassReason told() {
      return reason == null ? notKept : reason;
    }

    @Override
    public void discard() {
      body.desert();
    }
  }

  /** The origin agreed to a WebSocket: the connection becomes a tunnel. */
  record Switched(ResponseHead head, Tunnel tunnel) implements Landing {
    @Override
    public void match(Cases cases) {
      cases.switched(this);
    }

    @Override
    public void discard() {
      tunnel.fromOrigin().desert();
    }
  }

  /** An answer that exists; pinned for the passenger. */
  record Stored(StoredResponse entry, Reuse how) implements Landing {
    @Override
    public void match(Cases cases) {
      cases.stored(this);
    }

    @Override
    public void discard() {
      entry.body().unpin();
    }
  }

  /** The origin answered the lead with this status of 500 or above; the others get the status. */
  record ServerError(int status) implements Landing {
    @Override
    public void match(Cases cases) {
      cases.serverError(this);
    }
  }

  /** Admission said no; {@code predictedWaitNanos} is what a wait would have taken, 0 = unknown. */
  record Shed(Cause cause, long predictedWaitNanos) implements Landing {
    @Override
    public void match(Cases cases) {
      cases.shed(this);
    }
  }

  /** No answer came. */
  record Failed(Cause cause) implements Landing {
    @Override
    public void match(Cases cases) {
      cases.failed(this);
    }
  }

  /** The answer is nobody else's: the passenger goes alone, in its first order of arrival. */
  record Released(BypassReason reason) implements Landing {
    @Override
    public void match(Cases cases) {
      cases.released(this);
    }
  }

  /** The answer is another variant's, or holds no more: back to reuse, once. */
  record Again() implements Landing {
    static final Again INSTANCE = new Again();

    @Override
    public void match(Cases cases) {
      cases.again(this);
    }
  }

  /** The flight took nobody any more: back to reuse, as if it had not been there. */
  record TooLate() implements Landing {
    static final TooLate INSTANCE = new TooLate();

    @Override
    public void match(Cases cases) {
      cases.tooLate(this);
    }
  }
}

package dev.sluice.governor.classify;

/** What the classifier found: exactly one of three. Immutable. */
public sealed interface Classification {

  /** One answer for each case, so that a new case breaks the build of whoever reads this. */
  interface Cases<R> {
    R refused(Refused refused);

    R answeredHere(AnsweredHere answered);

    R classified(Classified classified);
  }

  /** Calls the one of {@code cases} that fits. */
  <R> R match(Cases<R> cases);

  /**
   * Turned away.
   *
   * @param audience decides the form of the answer
   */
  record Refused(Refusal refusal, Audience audience) implements Classification {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.refused(this);
    }
  }

  /** A question to the proxy itself, {@code OPTIONS *}: an empty answer of this status (DEC-46). */
  record AnsweredHere(int status) implements Classification {
    static final AnsweredHere NO_CONTENT = new AnsweredHere(204);

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.answeredHere(this);
    }
  }

  /**
   * A request that goes on.
   *
   * @param route the first that matched, or {@link Route#IMPLICIT}
   * @param requestClass as logged
   * @param audience decides the form of an answer of our own
   * @param rsc whether the framework's payload is asked for instead of the document
   */
  record Classified(
      Route route, RequestClass requestClass, Treatment treatment, Audience audience, boolean rsc)
      implements Classification {

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.classified(this);
    }

    /** The class that sharing goes by. */
    public RouteClass effectiveClass() {
      return treatment.effectiveClass();
    }

    /** The ceiling that the flight counts to. */
    public PermitKind permitKind() {
      return treatment.permitKind();
    }

    /** The tier that the flight asks at. */
    public Priority priority() {
      return treatment.priority();
    }

    /** Whether somebody waits for a document in a browser. */
    public boolean navigation() {
      return audience == Audience.NAVIGATION;
    }

    /** Whether errors are wanted as JSON. */
    public boolean wantsJson() {
      return audience == Audience.JSON;
    }

    /** Whether the request only looks ahead. */
    public boolean prefetch() {
      return requestClass == RequestClass.PREFETCH;
    }
  }
}

package dev.sluice.governor.classify;

/** What an operator declares a route to be (DEC-07). */
public enum RouteClass {
  /** Immutable files; no render permit, a ceiling of their own. */
  STATIC("static", true),
  /** A rendered page that the operator asserts is the same for everyone. */
  PUBLIC_SSR("public_ssr", true),
  /** Dynamic output whose own headers say whether it may be shared. */
  PUBLIC_DYNAMIC("public_dynamic", true),
  /** Never shared, always bounded; the default. */
  PRIVATE_DYNAMIC("private_dynamic", false),
  /** Long-lived streams; no render permit, a ceiling of their own. */
  STREAMING("streaming", false);

  private final String code;
  private final boolean isPublic;

  RouteClass(String code, boolean isPublic) {
    this.code = code;
    this.isPublic = isPublic;
  }

  /** The word in the configuration, logs and metrics. */
  public String code() {
    return code;
  }

  /** Whether an answer of such a route may be shared between clients at all. */
  public boolean isPublic() {
    return isPublic;
  }
}

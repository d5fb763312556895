package dev.sluice;

import org.jspecify.annotations.Nullable;

/** The version that the build stamped into the jar's manifest. Stateless. */
public final class Version {

  private Version() {}

  /** As in the project's pom; {@code unpackaged} where the classes do not come from the jar. */
  public static String current() {
    @Nullable String stamped = Version.class.getPackage().getImplementationVersion();
    return stamped == null ? "unpackaged" : stamped;
  }
}

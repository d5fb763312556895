package dev.sluice.cli;

import java.security.Security;

/**
 * The JDK's own cache of names: it keeps an address for 30 seconds and a miss for 10, so that a
 * name looked up every five seconds would be followed half a minute late. Stateless.
 */
final class NameCache {

  private static final String FOUND = "networkaddress.cache.ttl";
  private static final String MISSED = "networkaddress.cache.negative.ttl";

  private NameCache() {}

  /**
   * Turns it off for the whole process, unless its {@code java.security} says how long an address
   * is kept; without effect once a name has been looked up.
   */
  static void off() {
    if (Security.getProperty(FOUND) == null) {
      Security.setProperty(FOUND, "0");
      Security.setProperty(MISSED, "0");
    }
  }
}

package dev.sluice.governor.classify;

import dev.sluice.http.Authority;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The hosts that are served: names, and {@code *.suffix} for every name below the suffix but not
 * the suffix itself. Ports do not count. No hosts = all hosts. Immutable.
 */
final class HostTable {

  private final Set<String> names = new HashSet<>();
  private final String[] suffixes;

  HostTable(List<String> hosts) {
    for (String host : hosts) {
      if (!host.startsWith("*.")) {
        names.add(folded(host));
      }
    }
    suffixes =
        hosts.stream()
            .filter(host -> host.startsWith("*."))
            .map(host -> folded(host.substring(1)))
            .toArray(String[]::new);
  }

  boolean serves(String authority) {
    if (servesAll() || names.contains(authority)) {
      return true;
    }
    return Authority.parse(authority) instanceof Authority.Valid valid && servesName(valid.host());
  }

  private boolean servesAll() {
    return names.isEmpty() && suffixes.length == 0;
  }

  private boolean servesName(String host) {
    if (names.contains(host)) {
      return true;
    }
    for (String suffix : suffixes) {
      if (host.length() > suffix.length() && host.endsWith(suffix)) {
        return true;
      }
    }
    return false;
  }

  private static String folded(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}

package dev.sluice.governor.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** What a name means. Thread-safe. */
@FunctionalInterface
public interface Names {

  /** All its addresses, at least one. Blocks. */
  List<InetAddress> resolve(String host) throws UnknownHostException;

  /** The machine's: its hosts file, its name servers. */
  static Names system() {
    return host -> Arrays.asList(InetAddress.getAllByName(host));
  }
}

package dev.sluice.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How many descriptors a process may have open, as the kernel says. Stateless. */
final class DescriptorLimit {

  private static final String FIELD = "Max open files";

  private DescriptorLimit() {}

  /** The soft limit, in force now; the JVM raises it to the hard one at its start. */
  static long of(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "limits"))) {
        if (line.startsWith(FIELD)) {
          String soft = line.substring(FIELD.length()).trim().split(" +", 2)[0];
          return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("limits of " + pid, e);
    }
    throw new IllegalStateException(FIELD + " is not among the limits of " + pid);
  }
}

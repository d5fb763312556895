package dev.sluice.config;

/**
 * What the process may use, as found at its start. Immutable.
 *
 * @param cores processors
 * @param maxHeap bytes of heap at most
 * @param directLimit bytes of direct memory at most (D in DEC-38)
 * @param memory bytes: the control group's limit, else the machine's (M in DEC-38)
 * @param descriptorLimit open files at most, as the JVM raised it
 * @param viaHex eight hex digits drawn for this process (DEC-46)
 */
public record Machine(
    int cores, long maxHeap, long directLimit, long memory, long descriptorLimit, String viaHex) {

  /** Looks at the machine. Cheap: files under /proc and /sys first, JMX only where they lack. */
  public static Machine detect() {
    return MachineProbe.system().machine();
  }
}

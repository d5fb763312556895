package dev.sluice.config;

/**
 * DEC-38's arithmetic of direct memory. Immutable.
 *
 * @param loops event loops in force
 */
record MemoryBudget(Machine machine, int loops) {

  private static final long MIB = 1L << 20;
  private static final long KEPT_MOST = 256 * MIB;
  private static final long RESERVE = 32 * MIB;
  private static final long PER_LOOP = 4 * MIB;
  private static final long PROCESS = 128 * MIB;

  /** B: what kept bytes may take together. Negative where the machine is too small. */
  long bytes() {
    return machine.directLimit() / 10 * 9 - RESERVE - PER_LOOP * loops;
  }

  /** What is set aside for held request bytes when the file does not say. */
  long requestMemory() {
    long share = Math.min(64 * MIB, bytes() / 8);
    // Rounded to whole KiB; one connection's read-ahead is the least that lets anything through.
    return Math.max(64L << 10, share >> 10 << 10);
  }

  /**
   * What one of cache and spool gets when the file does not say.
   *
   * @param requests bytes set aside for requests
   * @param written bytes that the file gives to the other of the two; 0 = none
   */
  long keptMemory(long requests, long written) {
    long room = bytes() - requests;
    long share = Math.min(KEPT_MOST, Math.min(room / 2, room - written));
    // The least that the key takes; kept bytes count against it, so it bounds what it names.
    return Math.max(MIB, share >> 10 << 10);
  }

  /** Whether direct memory, heap and the process itself fit the machine. */
  boolean fitsMachine() {
    return machine.directLimit() + machine.maxHeap() + PROCESS <= machine.memory();
  }

  /** B with its numbers. */
  String arithmetic() {
    return "0.9 x "
        + mib(machine.directLimit())
        + " direct - 32MiB - 4MiB x "
        + loops
        + (loops == 1 ? " loop = " : " loops = ")
        + mib(bytes());
  }

  /** The sum that must not exceed the machine's memory. */
  String machineArithmetic() {
    return mib(machine.directLimit())
        + " direct + "
        + mib(machine.maxHeap())
        + " heap + 128MiB = "
        + mib(machine.directLimit() + machine.maxHeap() + PROCESS)
        + ", of "
        + mib(machine.memory());
  }

  private static String mib(long bytes) {
    return Math.floorDiv(bytes, MIB) + "MiB";
  }
}

package dev.sluice.soak;

import dev.sluice.fixture.launch.LeakLines;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import io.netty.buffer.ByteBufAllocator;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The control of the leak check: a program that loses a buffer, with Netty as it is in Sluice's jar
 * and under the same flag.
 */
final class LeakingProgram {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TRIES_MAX = 200;

  private LeakingProgram() {}

  /** Loses buffers until Netty's detector has had the chance to tell. */
  public static void main(String[] args) {
    for (int i = 0; i < TRIES_MAX; i++) {
      lose();
      System.gc();
      // The detector speaks up when the next buffer is made.
      ByteBufAllocator.DEFAULT.directBuffer(16).release();
    }
  }

  private static void lose() {
    int readable = ByteBufAllocator.DEFAULT.directBuffer(16).writeInt(1).readableBytes();
    if (readable != Integer.BYTES) {
      throw new IllegalStateException("readable: " + readable);
    }
  }

  /** How many lines about leaks the same look finds in this program's output. */
  static int leakLinesSeen() throws Exception {
    Path classes =
        Path.of(LeakingProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx64m");
    command.add(LeakLines.FLAG);
    command.add("-cp");
    command.add(SluiceProcess.jar() + File.pathSeparator + classes);
    command.add(LeakingProgram.class.getName());
    try (var process = RealProcess.start("leaking", command)) {
      process.waitForExit(PATIENCE);
      return LeakLines.of(process).size();
    }
  }
}

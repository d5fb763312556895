package dev.sluice.time;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Stands before the engine's interface of this name on the class path of a process whose time of
 * day a gate moves: the machine's clock and an offset that lies in a file. The engine reads the
 * time of day nowhere else. Without the system property {@code chaos.clock} it is the machine's
 * clock alone.
 */
@FunctionalInterface
public interface WallClock {

  /** Milliseconds since 1970-01-01T00:00:00Z. Thread-safe. */
  long epochMillis();

  /** The clock of the machine, moved. */
  static WallClock system() {
    String file = System.getProperty("chaos.clock", "");
    if (file.isEmpty()) {
      return System::currentTimeMillis;
    }
    LongBuffer offsetMillis = offset(Path.of(file));
    return () -> System.currentTimeMillis() + offsetMillis.get(0);
  }

  /** The milliseconds in that file, as they are at any moment; written by one process alone. */
  static LongBuffer offset(Path file) {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = channel.map(MapMode.READ_WRITE, 0, Long.BYTES);
      return mapped.asLongBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

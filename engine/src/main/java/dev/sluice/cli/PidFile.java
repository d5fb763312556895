package dev.sluice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * {@code server.graceful.pid_file} while the process serves (DEC-05): whatever an earlier process
 * left there is written over, and only our own is removed again. Confined to one thread.
 */
final class PidFile {

  private final @Nullable Path path;
  private final String line = ProcessHandle.current().pid() + "\n";

  private PidFile(@Nullable Path path) {
    this.path = path;
  }

  /** Writes it; an empty name is no file at all. */
  static PidFile write(String name) throws IOException {
    if (name.isEmpty()) {
      return new PidFile(null);
    }
    var file = new PidFile(Path.of(name));
    Files.writeString(Path.of(name), file.line);
    return file;
  }

  /** A successor that has written its own id meanwhile keeps its file. */
  void remove() throws IOException {
    if (path != null && Files.exists(path) && Files.readString(path).equals(line)) {
      Files.deleteIfExists(path);
    }
  }
}

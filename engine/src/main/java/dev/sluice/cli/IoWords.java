package dev.sluice.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** Says in one line what the system refused; the JDK's exceptions often carry the path alone. */
final class IoWords {

  private IoWords() {}

  static String of(IOException failure) {
    if (!(failure instanceof FileSystemException refused)) {
      return String.valueOf(failure.getMessage());
    }
    return refused.getFile() + ": " + reason(refused);
  }

  private static String reason(FileSystemException refused) {
    @Nullable String reason = refused.getReason();
    if (reason != null) {
      return reason;
    }
    if (refused instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (refused instanceof AccessDeniedException) {
      return "permission denied";
    }
    return refused instanceof FileAlreadyExistsException
        ? "it exists"
        : refused.getClass().getSimpleName();
  }
}

package dev.sluice.application;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Takes a program's output line by line, on a thread of its own, to its end; so the program never
 * stands still for a reader. A longer line than {@link #MOST} characters comes in parts.
 */
final class OutputLines implements Runnable {

  static final int MOST = 8192;

  private final InputStream output;
  private final Consumer<String> lines;
  private final StringBuilder line = new StringBuilder();

  OutputLines(InputStream output, Consumer<String> lines) {
    this.output = output;
    this.lines = lines;
  }

  @Override
  public void run() {
    try (Reader in = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
      for (int next = in.read(); next >= 0; next = in.read()) {
        take((char) next);
      }
    } catch (IOException closed) {
      // What a killed program had not written is not there.
      line.append("");
    }
    if (!line.isEmpty()) {
      pass();
    }
  }

  private void take(char next) {
    if (next == '\n') {
      pass();
      return;
    }
    if (next != '\r') {
      line.append(next);
    }
    if (line.length() >= MOST) {
      pass();
    }
  }

  private void pass() {
    lines.accept(line.toString());
    line.setLength(0);
  }
}

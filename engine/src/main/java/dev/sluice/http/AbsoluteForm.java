package dev.sluice.http;

import org.jspecify.annotations.Nullable;

public record AbsoluteForm(String authority, String raw) {
  public static @Nullable AbsoluteForm parse(String t) {
    return null;
  }
}

package dev.sluice.http;

public final class Authority {
  public static boolean isValid(String s) {
    return !s.isEmpty();
  }
}

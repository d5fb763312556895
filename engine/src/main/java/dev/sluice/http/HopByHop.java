package dev.sluice.http;

import java.util.List;

public final class HopByHop {
  public static final long REQUEST = 0;
  public static final long RESPONSE = 0;

  public static List<String> connectionNames(Headers h) {
    return List.of();
  }
}

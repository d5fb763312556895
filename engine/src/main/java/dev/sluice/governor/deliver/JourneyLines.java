package dev.sluice.governor.deliver;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Reuse;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The field lines that tell a client how its answer came about: {@code X-Sluice} and {@code
 * Cache-Status} (RFC 9211), where the operator wants them (PRX-34, BEY-06). Made once for each
 * case. Immutable.
 */
public final class JourneyLines {

  private static final byte[] NOTHING = {};

  private final Map<Reuse, byte[]> plain = new EnumMap<>(Reuse.class);
  private final Map<Reuse, Map<BypassReason, byte[]>> reasoned = new EnumMap<>(Reuse.class);

  /** {@code told}: whether clients are told at all. */
  public JourneyLines(boolean told) {
    for (Reuse how : Reuse.values()) {
      boolean silent = !told || how == Reuse.NONE;
      plain.put(how, silent ? NOTHING : lines(how, null));
      Map<BypassReason, byte[]> byReason = new EnumMap<>(BypassReason.class);
      for (BypassReason reason : BypassReason.values()) {
        byReason.put(reason, silent ? NOTHING : lines(how, reason));
      }
      reasoned.put(how, byReason);
    }
  }

  /** The lines in wire form; not to be changed. */
  public byte[] of(Reuse how, @Nullable BypassReason reason) {
    Map<BypassReason, byte[]> byReason = reason == null ? null : reasoned.get(how);
    byte[] lines = byReason == null ? plain.get(how) : byReason.get(reason);
    return lines == null ? NOTHING : lines;
  }

  /** The same, with the attempts that it took where it took more than one (RFC 9209 2). */
  byte[] of(Reuse how, @Nullable BypassReason reason, int attempts) {
    byte[] lines = of(how, reason);
    if (attempts <= 1 || lines.length == 0) {
      return lines;
    }
    byte[] told = ("Proxy-Status: sluice; attempts=" + attempts + "\r\n").getBytes(US_ASCII);
    byte[] both = Arrays.copyOf(lines, lines.length + told.length);
    System.arraycopy(told, 0, both, lines.length, told.length);
    return both;
  }

  private static byte[] lines(Reuse how, @Nullable BypassReason reason) {
    String detail = reason == null ? "" : "; detail=" + reason.code();
    String text =
        "X-Sluice: "
            + how.code().toUpperCase(Locale.ROOT)
            + "\r\nCache-Status: sluice; "
            + how.status()
            + detail
            + "\r\n";
    return text.getBytes(US_ASCII);
  }
}

package dev.sluice.chaos;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.fixture.crowd.VisitOutcome;
import dev.sluice.fixture.crowd.VisitRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/** What a client saw of one answer, as far as it can tell. */
enum Sight {
  /** Every byte of the page, and the end as announced. */
  WHOLE,
  /** The beginning of the page, then an end that is seen to be none. */
  CUT,
  /** The connection ended without an answer, or was refused. */
  NOTHING,
  /** A whole answer that says that the origin failed: 502. */
  BAD_GATEWAY,
  /** A whole answer that says that the origin took too long: 504. */
  GATEWAY_TIMEOUT,
  /** A whole answer that says that there is too much to do: 503. */
  SHED,
  /** No end within the client's patience. */
  HUNG,
  /** Another byte than the page's, or an end that looks like one and is none. */
  WRONG;

  private static final Pattern BYTES = Pattern.compile("[?&]bytes=(\\d+)");

  /** Compares with the page that the target names, or with what the origin says of an upload. */
  static Sight of(VisitRecord visit) {
    if (visit.status() != 200) {
      return ofNoPage(visit);
    }
    long zeros = visit.visit().body().total();
    return zeros > 0 ? ofUpload(visit, (int) zeros) : ofPage(visit);
  }

  /** How many of a crowd saw what. */
  static Map<Sight, Long> of(CrowdResult crowd) {
    return crowd.visits().stream()
        .collect(Collectors.groupingBy(Sight::of, TreeMap::new, Collectors.counting()));
  }

  /** How many of a crowd saw this. */
  static long count(CrowdResult crowd, Sight wanted) {
    return of(crowd).getOrDefault(wanted, 0L);
  }

  /** How many of a crowd were lied to or left without an end. */
  static long lies(CrowdResult crowd) {
    return crowd.visits().stream().filter(visit -> of(visit).isLie()).count();
  }

  /** Whether Sluice said that its origin did not answer as it should. */
  boolean isOriginFailure() {
    return this == BAD_GATEWAY || this == GATEWAY_TIMEOUT;
  }

  boolean isLie() {
    return this == WRONG || this == HUNG;
  }

  private static Sight ofUpload(VisitRecord visit, int zeros) {
    return switch (visit.outcome()) {
      case COMPLETE -> visit.bodyCrc32() == crc(receipt(zeros)) ? WHOLE : WRONG;
      case TIMED_OUT -> HUNG;
      default -> CUT;
    };
  }

  /** What the origin says of an upload of so many zeros. */
  static byte[] receipt(int zeros) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(new byte[zeros]);
      String sha = HexFormat.of().formatHex(digest);
      return "{\"length\":%d,\"sha256\":\"%s\"}\n"
          .formatted(zeros, sha)
          .getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static Sight ofNoPage(VisitRecord visit) {
    return switch (visit.outcome()) {
      case TIMED_OUT -> HUNG;
      case COMPLETE ->
          switch (visit.status()) {
            case 502 -> BAD_GATEWAY;
            case 503 -> SHED;
            case 504 -> GATEWAY_TIMEOUT;
            default -> WRONG;
          };
      case CUT, REFUSED, LEFT -> visit.status() == 0 ? NOTHING : CUT;
    };
  }

  private static Sight ofPage(VisitRecord visit) {
    String target = visit.visit().target();
    Matcher size = BYTES.matcher(target);
    if (!size.find()) {
      throw new IllegalArgumentException(target + ": how many bytes? (expected: bytes=)");
    }
    int bytes = Integer.parseInt(size.group(1));
    String path = target.substring(0, target.indexOf('?'));
    if (visit.bodyBytes() > bytes
        || visit.bodyCrc32() != crc(Bodies.expected(path, (int) visit.bodyBytes()))) {
      return WRONG;
    }
    if (visit.outcome() == VisitOutcome.COMPLETE) {
      return visit.bodyBytes() == bytes ? WHOLE : WRONG;
    }
    return visit.outcome() == VisitOutcome.TIMED_OUT ? HUNG : CUT;
  }

  private static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }
}

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
  /** A whole answer that says that the origin failed: 502 or 504. */
  FAILED,
  /** A whole answer that says that there is too much to do: 503. */
  SHED,
  /** No end within the client's patience. */
  HUNG,
  /** Another byte than the page's, or an end that looks like one and is none. */
  WRONG;

  /** Compares with the page of that path and size. */
  static Sight of(VisitRecord visit, String path, int bytes) {
    return visit.status() == 200 ? ofPage(visit, path, bytes) : ofNoPage(visit);
  }

  /** Compares with what the origin says of an upload of so many zeros. */
  static Sight ofUpload(VisitRecord visit, int zeros) {
    if (visit.status() != 200) {
      return ofNoPage(visit);
    }
    return switch (visit.outcome()) {
      case COMPLETE -> visit.bodyCrc32() == crc(receipt(zeros)) ? WHOLE : WRONG;
      case TIMED_OUT -> HUNG;
      default -> CUT;
    };
  }

  private static byte[] receipt(int zeros) {
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
            case 502, 504 -> FAILED;
            case 503 -> SHED;
            default -> WRONG;
          };
      case CUT, REFUSED, LEFT -> visit.status() == 0 ? NOTHING : CUT;
    };
  }

  private static Sight ofPage(VisitRecord visit, String path, int bytes) {
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

  /** How many of a crowd that asked for one page saw what. */
  static Map<Sight, Long> of(CrowdResult crowd, String path, int bytes) {
    return crowd.visits().stream()
        .collect(
            Collectors.groupingBy(
                visit -> of(visit, path, bytes), TreeMap::new, Collectors.counting()));
  }
}

package dev.sluice.http.caching;

import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.util.List;

/** What a request's Range comes to against a complete answer (RFC 9110 14). Immutable. */
public sealed interface ByteRange {

  /** More ranges than this in one request are no honest use of the field. */
  int MOST_RANGES = 16;

  /** One answer for each case, so that a new case breaks the build of whoever reads this. */
  interface Cases<R> {
    R ignored(Ignored ignored);

    R unsatisfiable(Unsatisfiable unsatisfiable);

    R one(One one);

    R many(Many many);
  }

  /** Calls the one of {@code cases} that fits. */
  <R> R match(Cases<R> cases);

  /**
   * The range that {@code request} asks for of a body of {@code length} bytes. Only of GET does one
   * mean anything, and only if its If-Range holds ({@link #ifRangeHolds}).
   */
  static ByteRange of(Headers request, long length) {
    List<String> lines = request.all(FieldName.RANGE);
    return lines.size() == 1 ? ByteRangeReader.read(lines.get(0), length) : Ignored.INSTANCE;
  }

  /**
   * Whether a request's If-Range, if there is one, names the stored answer by a strong validator
   * (RFC 9110 13.1.5). That the answer is in the same content coding is the key's business.
   *
   * @param receivedMillis since 1970, when the stored answer came
   */
  static boolean ifRangeHolds(Headers request, Headers stored, long receivedMillis) {
    List<String> lines = request.all(FieldName.IF_RANGE);
    if (lines.isEmpty()) {
      return true;
    }
    String value = lines.get(0);
    long date = HttpDate.parse(value, receivedMillis);
    if (lines.size() > 1 || date == HttpDate.INVALID) {
      String tag = stored.first(FieldName.ETAG);
      return lines.size() == 1 && tag != null && EntityTags.stronglyEqual(value, tag);
    }
    long made = Preconditions.date(stored, FieldName.DATE, receivedMillis);
    long modified = Preconditions.date(stored, FieldName.LAST_MODIFIED, receivedMillis);
    // RFC 9110 8.8.2.2: a change within the second of Date would not show.
    return modified == date && made != HttpDate.INVALID && made - modified >= 1000;
  }

  /** There is no Range, or none that is understood: the whole answer. */
  record Ignored() implements ByteRange {
    static final Ignored INSTANCE = new Ignored();

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.ignored(this);
    }
  }

  /** Nothing of what is asked for exists: 416. */
  record Unsatisfiable() implements ByteRange {
    static final Unsatisfiable INSTANCE = new Unsatisfiable();

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.unsatisfiable(this);
    }
  }

  /** The bytes from {@code from} to {@code to}, both included. */
  record One(long from, long to) implements ByteRange {

    /** How many bytes they are. */
    public long length() {
      return to - from + 1;
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.one(this);
    }
  }

  /** Two parts or more that do not overlap, in the order they were asked for. */
  record Many(List<One> parts) implements ByteRange {

    public Many {
      parts = List.copyOf(parts);
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.many(this);
    }
  }
}

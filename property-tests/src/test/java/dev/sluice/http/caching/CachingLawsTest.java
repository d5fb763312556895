package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import dev.sluice.http.FieldName;
import dev.sluice.http.Headers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class CachingLawsTest {

  private static final long NOW = 1_800_000_000_000L;

  @Provide
  Arbitrary<String> garbage() {
    Arbitrary<String> pieces =
        Arbitraries.of(
                "max-age",
                "private",
                "no-store",
                "=",
                "\"",
                ",",
                ";",
                " ",
                "\\",
                "60",
                "-",
                "(",
                ")",
                "?1",
                ":",
                "W/",
                "*",
                "bytes=",
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "\0",
                "é",
                ".",
                "99999999999999999999",
                "\t")
            .list()
            .ofMaxSize(12)
            .map(list -> String.join("", list));
    return Arbitraries.oneOf(pieces, Arbitraries.strings());
  }

  @Property(tries = 3000)
  void parsers_anyText_neverThrow(@ForAll("garbage") String text) {
    FieldList headers = everywhere(text);
    CacheControl control = CacheControl.of(headers, FieldName.CACHE_CONTROL);
    CacheControl governing = TargetedControl.governing(headers);
    for (CacheControl each : List.of(control, governing)) {
      assertThat(each.maxAge()).isBetween(-1L, 1L << 31);
      assertThat(each.staleWhileRevalidate()).isBetween(-1L, 1L << 31);
    }
    Freshness freshness = Freshness.of(headers, governing, NOW);
    assertThat(freshness.initialAgeMillis()).isNotNegative();
    assertThat(freshness.lifetimeSeconds()).isBetween(-1L, 1L << 31);
    assertThat(freshness.heuristicSeconds()).isBetween(0L, 1L << 31);
    assertThat(HttpDate.parse(text, NOW)).isGreaterThanOrEqualTo(-1);
    assertThat(VaryNames.of(headers).names()).isSorted().doesNotHaveDuplicates();
    assertThat(Preconditions.of(headers, 200, headers, NOW)).isNotNull();
    assertThat(ByteRange.of(headers, 1000)).isNotNull();
    assertThat(ByteRange.ifRangeHolds(headers, headers, NOW)).isIn(true, false);
  }

  private static FieldList everywhere(String text) {
    var lines = new ArrayList<String>();
    for (FieldName name : FieldName.values()) {
      lines.add(name.text());
      lines.add(text);
    }
    return FieldList.of(lines.toArray(String[]::new));
  }

  /** A restriction that stands in a line of its own is seen whatever damage stands around it. */
  @Property(tries = 2000)
  void cacheControl_moreLines_neverGrantMore(
      @ForAll("garbage") String one, @ForAll("garbage") String other) {
    CacheControl alone = of(one);
    CacheControl both = of(one, other);
    assertThat(both.noStore()).isEqualTo(alone.noStore() || of(other).noStore());
    assertThat(both.isPrivate()).isEqualTo(alone.isPrivate() || of(other).isPrivate());
    if (alone.maxAge() >= 0) {
      assertThat(both.maxAge()).isBetween(0L, alone.maxAge());
    }
  }

  private static CacheControl of(String... lines) {
    var fields = new ArrayList<String>();
    for (String line : lines) {
      fields.addAll(List.of("Cache-Control", line));
    }
    return CacheControl.of(FieldList.of(fields.toArray(String[]::new)), FieldName.CACHE_CONTROL);
  }

  // ---- freshness against a naive reading of RFC 9111 4.2

  record Given(
      int sMaxAge, int maxAge, int expires, int date, int age, int modified, boolean targeted) {

    /** A greater age has a line more behind it, so that nobody can tell which one holds. */
    static final int MANY_AGES = 450;

    Headers headers() {
      var lines = new ArrayList<String>();
      String directives =
          "x"
              + (sMaxAge < 0 ? "" : ", s-maxage=" + sMaxAge)
              + (maxAge < 0 ? "" : ", max-age=" + maxAge);
      add(lines, targeted ? "CDN-Cache-Control" : "Cache-Control", directives);
      addDate(lines, "Expires", expires);
      addDate(lines, "Date", date);
      addDate(lines, "Last-Modified", modified);
      if (age >= 0) {
        add(lines, "Age", Integer.toString(age));
      }
      if (age > MANY_AGES) {
        add(lines, "Age", "0");
      }
      return FieldList.of(lines.toArray(String[]::new));
    }

    private static void add(List<String> lines, String name, String value) {
      lines.add(name);
      lines.add(value);
    }

    /** Seconds from now; the least value is no such field. */
    private static void addDate(List<String> lines, String name, int seconds) {
      if (seconds > -1000) {
        add(lines, name, HttpDate.format(NOW + 1000L * seconds));
      }
    }
  }

  @Provide
  Arbitrary<Given> given() {
    Arbitrary<Integer> directive = Arbitraries.integers().between(-1, 500);
    Arbitrary<Integer> offset = Arbitraries.integers().between(-1000, 1000);
    return Combinators.combine(
            directive,
            directive,
            offset,
            offset,
            directive,
            offset,
            Arbitraries.of(true, false, false))
        .as(Given::new);
  }

  @Property(tries = 3000)
  void freshness_anyHead_isThatOfTheOracle(@ForAll("given") Given given) {
    Headers headers = given.headers();
    Freshness found = Freshness.of(headers, TargetedControl.governing(headers), NOW);
    Instant now = Instant.ofEpochMilli(NOW);
    Instant date = given.date() > -1000 ? now.plusSeconds(given.date()) : now;
    long lifetime = -1;
    if (given.expires() > -1000 && !given.targeted()) {
      Instant expires = now.plusSeconds(given.expires());
      lifetime = expires.isAfter(date) ? expires.getEpochSecond() - date.getEpochSecond() : 0;
    }
    lifetime = given.maxAge() >= 0 ? given.maxAge() : lifetime;
    lifetime = given.sMaxAge() >= 0 ? given.sMaxAge() : lifetime;
    assertThat(found.lifetimeSeconds()).isEqualTo(lifetime);

    long apparent = now.getEpochSecond() - date.getEpochSecond();
    long told = given.age() > Given.MANY_AGES ? 1L << 31 : Math.max(0, given.age());
    long age = Math.max(apparent < 2 ? 0 : apparent, told);
    assertThat(found.initialAgeMillis()).isEqualTo(1000 * age);

    boolean guess = lifetime < 0 && given.modified() > -1000;
    long since = date.getEpochSecond() - now.plusSeconds(given.modified()).getEpochSecond();
    assertThat(found.heuristicSeconds()).isEqualTo(guess ? Math.max(0, since / 10) : 0);
  }

  // ---- ranges against sets of bytes

  @Provide
  Arbitrary<List<String>> specs() {
    Arbitrary<String> number = Arbitraries.integers().between(0, 30).map(String::valueOf);
    Arbitrary<String> maybe = Arbitraries.oneOf(number, Arbitraries.just(""));
    return Combinators.combine(maybe, maybe)
        .as((a, b) -> a + "-" + b)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  @Property(tries = 3000)
  void byteRange_anySpecs_selectsWhatTheOracleSelects(
      @ForAll("specs") List<String> specs, @ForAll @IntRange(min = 1, max = 25) int length) {
    String value = "bytes=" + String.join(",", specs);
    String found = ByteRange.of(FieldList.of("Range", value), length).match(new Shown());
    assertThat(found).isEqualTo(oracle(specs, length));
  }

  /** Each byte is asked whether each range has it. */
  private static String oracle(List<String> specs, int length) {
    var parts = new ArrayList<String>();
    var taken = new BitSet();
    boolean overlap = false;
    for (String spec : specs) {
      int dash = spec.indexOf('-');
      String first = spec.substring(0, dash);
      String last = spec.substring(dash + 1);
      boolean both = !first.isEmpty() && !last.isEmpty();
      if (spec.equals("-") || (both && Integer.parseInt(first) > Integer.parseInt(last))) {
        return "ignored";
      }
      var bytes = new TreeSet<Integer>();
      for (int i = 0; i < length; i++) {
        boolean inside =
            first.isEmpty()
                ? i >= length - Integer.parseInt(last)
                : i >= Integer.parseInt(first) && (last.isEmpty() || i <= Integer.parseInt(last));
        if (inside) {
          bytes.add(i);
          overlap |= taken.get(i);
        }
      }
      bytes.forEach(taken::set);
      if (!bytes.isEmpty()) {
        parts.add(bytes.first() + "-" + bytes.last());
      }
    }
    return overlap ? "ignored" : parts.isEmpty() ? "unsatisfiable" : String.join(" ", parts);
  }

  private static final class Shown implements ByteRange.Cases<String> {
    @Override
    public String ignored(ByteRange.Ignored ignored) {
      return "ignored";
    }

    @Override
    public String unsatisfiable(ByteRange.Unsatisfiable unsatisfiable) {
      return "unsatisfiable";
    }

    @Override
    public String one(ByteRange.One one) {
      return one.from() + "-" + one.to();
    }

    @Override
    public String many(ByteRange.Many many) {
      return String.join(" ", many.parts().stream().map(this::one).toList());
    }
  }
}

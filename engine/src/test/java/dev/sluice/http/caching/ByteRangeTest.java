package dev.sluice.http.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.http.FieldList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9110 14, C04. */
class ByteRangeTest {

  private static String of(String range, long length) {
    return ByteRange.of(FieldList.of("Range", range), length).match(new Shown());
  }

  @ParameterizedTest(name = "[{0}] of {1} -> {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=0-1 | 11 | 0-1",
        "BYTES=0-1 | 11 | 0-1",
        "bytes=1- | 11 | 1-10",
        "bytes=0-99 | 11 | 0-10",
        "bytes=0-99999999999999999999 | 11 | 0-10",
        "bytes=-1 | 11 | 10-10",
        "bytes=-99 | 11 | 0-10",
        "bytes=10- | 11 | 10-10",
        "bytes=0-0,-1 | 11 | 0-0 10-10",
        "bytes= 5-6 , 0-1 | 11 | 5-6 0-1",
        "bytes=,0-1,, | 11 | 0-1",
        "bytes=0-1,50-60 | 11 | 0-1",
        "bytes=11- | 11 | unsatisfiable",
        "bytes=99999999999999999999- | 11 | unsatisfiable",
        "bytes=-0 | 11 | unsatisfiable",
        "bytes=20-30,40-50 | 11 | unsatisfiable",
        "bytes=0--1 | 11 | ignored",
        "bytes=10-5 | 11 | ignored",
        "bytes=0-1,10-5 | 11 | ignored",
        "items=0-1 | 11 | ignored",
        "bytes | 11 | ignored",
        "bytes= | 11 | ignored",
        "bytes=- | 11 | ignored",
        "bytes=5 | 11 | ignored",
        "bytes=0-1,5 | 11 | ignored",
        "bytes=a-b | 11 | ignored",
        "bytes=0 -1 | 11 | ignored",
        "bytes =0-1 | 11 | ignored",
        "bytes=+0-1 | 11 | ignored",
        "bytes=0-5,5-6 | 11 | ignored",
        "bytes=5-6,0-5 | 11 | ignored",
        "bytes=5-6,0-4 | 11 | 5-6 0-4",
        "bytes=0-,0-,0- | 11 | ignored",
        "bytes=0-1 | 0 | ignored",
        "bytes=-5 | 0 | ignored"
      })
  void of_range_isReadToTheLetterOrIgnored(String range, long length, String expected) {
    assertThat(of(range, length)).isEqualTo(expected);
  }

  @Test
  void of_moreRangesThanTheBound_isIgnored() {
    assertThat(of(ranges(ByteRange.MOST_RANGES), 1000)).contains("0-0 ");
    assertThat(of(ranges(ByteRange.MOST_RANGES + 1), 1000)).isEqualTo("ignored");
    assertThat(of(ranges(300), 1000)).isEqualTo("ignored");
  }

  private static String ranges(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> 2 * i + "-" + 2 * i)
        .collect(Collectors.joining(",", "bytes=", ""));
  }

  @Test
  void of_twoRangeLines_isIgnored() {
    var two = FieldList.of("Range", "bytes=0-1", "Range", "bytes=2-3");
    assertThat(ByteRange.of(two, 11).match(new Shown())).isEqualTo("ignored");
    assertThat(ByteRange.of(FieldList.EMPTY, 11).match(new Shown())).isEqualTo("ignored");
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
      assertThat(one.length()).isEqualTo(one.to() - one.from() + 1);
      return one.from() + "-" + one.to();
    }

    @Override
    public String many(ByteRange.Many many) {
      return many.parts().stream().map(this::one).collect(Collectors.joining(" "));
    }
  }
}

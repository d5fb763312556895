package dev.sluice.governor.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetrySecondsTest {

  private static final int DRAWS = 4000;

  @ParameterizedTest(name = "setting {0} ms, predicted {1} ms: {2} to {3} s")
  @CsvSource({
    "2000,    0,                   2,  4",
    "2000,    1500,                2,  4",
    "2000,    7001,                8,  16",
    "500,     0,                   1,  2",
    "0,       0,                   1,  2",
    "10000,   0,                   10, 20",
    "20000,   0,                   20, 30",
    "30000,   0,                   30, 30",
    "3600000, 0,                   30, 30",
    "2000,    9223372036854,       30, 30",
  })
  void draw_DEC42_isUniformFromVToTwiceV(
      long settingMillis, long predictedMillis, int from, int to) {
    var random = new SplittableRandom(42);
    var counts = new TreeMap<Integer, Integer>();
    for (int i = 0; i < DRAWS; i++) {
      int seconds =
          RetrySeconds.draw(Duration.ofMillis(settingMillis), predictedMillis * 1_000_000, random);
      counts.merge(seconds, 1, Integer::sum);
    }
    assertThat(counts.firstKey()).isEqualTo(from);
    assertThat(counts.lastKey()).isEqualTo(to);
    double share = (double) DRAWS / (to - from + 1);
    assertThat(counts.values())
        .allSatisfy(n -> assertThat((double) n).isBetween(share * 0.7, share * 1.3));
  }
}

package dev.sluice.scenarios.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.OriginStats;
import dev.sluice.scenarios.simulation.Sample;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CountedTest {

  private static final Samples SEEN = samples("home /home?n=1", "home /home?n=2", "own /own/1");

  @Test
  void requestsOf_pathsCountedApart_areTheDifference() {
    assertThat(counted(Map.of("/home", 3L), Map.of("/home", 5L, "/own/1", 1L))).isEqualTo(2L);
  }

  @Test
  void requestsOf_pathNeverAskedFor_isNone() {
    assertThat(counted(Map.of("(other)", 7L), Map.of("(other)", 7L))).isEqualTo(0L);
  }

  @Test
  void requestsOf_knownPathBesideOthers_isCounted() {
    assertThat(counted(Map.of("/home", 3L), Map.of("/home", 4L, "(other)", 9L))).isEqualTo(1L);
  }

  @Test
  void requestsOf_pathThatMayBeAmongOthers_saysWhyNot() {
    assertThat(counted(Map.of(), Map.of("(other)", 1L))).asString().startsWith("off: ");
  }

  @Test
  void requestsOf_pathOfAnotherKind_saysWhyNot() {
    Samples shared = samples("home /home", "own /home?own=1");
    assertThat(counted(Map.of(), Map.of("/home", 2L), shared)).asString().startsWith("off: ");
  }

  private static Object counted(Map<String, Long> before, Map<String, Long> after) {
    return counted(before, after, SEEN);
  }

  private static Object counted(Map<String, Long> before, Map<String, Long> after, Samples seen) {
    return new Counted(stats(before), stats(after), 0).requestsOf("home", seen);
  }

  private static OriginStats stats(Map<String, Long> paths) {
    return new OriginStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, paths);
  }

  /** Of kinds and targets. */
  private static Samples samples(String... asked) {
    List<Sample> all =
        Stream.of(asked).map(one -> one.split(" ", 2)).map(one -> sample(one[0], one[1])).toList();
    return new Samples(all);
  }

  private static Sample sample(String kind, String target) {
    return new Sample(kind, target, 0, 0, 200, 0, 0, "", "", "", "", "", "");
  }
}

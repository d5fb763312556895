package dev.sluice.reports.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.reports.GateReport;
import dev.sluice.reports.Machine;
import dev.sluice.reports.Verdict;
import dev.sluice.reports.page.Comparison.Direction;
import dev.sluice.reports.page.Comparison.Moved;
import dev.sluice.reports.page.Comparison.Turned;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparisonTest {
  private static final double QUARTER = 0.25;

  @TempDir Path before;
  @TempDir Path after;
  private SampleRun earlier;
  private SampleRun now;

  @BeforeEach
  void twoRuns() {
    earlier = new SampleRun(before);
    now = new SampleRun(after);
  }

  @Test
  void sameRun_hasNothingToTell() throws IOException {
    Suite suite = earlier.withAll().suite();
    Comparison same = Comparison.of(suite, suite, QUARTER);
    assertThat(same.isEmpty()).isTrue();
    assertThat(same.hasRegression()).isFalse();
    assertThat(ComparisonText.of(same)).contains("no verdict changed", "more than 25 %");
  }

  @Test
  void gateThatFailsNow_isTurnedAndARegression() throws IOException {
    earlier.passed("ceiling", 10);
    now.failed("ceiling");
    Comparison turned = compared();
    assertThat(turned.turned())
        .containsExactly(new Turned("ceiling", Verdict.PASSED, Verdict.FAILED));
    assertThat(turned.hasRegression()).isTrue();
    assertThat(ComparisonText.of(turned)).containsPattern("passed -> failed +ceiling");
  }

  @Test
  void gateThatHoldsAgain_isTurnedAndNoRegression() throws IOException {
    earlier.failed("ceiling");
    now.passed("ceiling", 10);
    assertThat(compared().turned())
        .containsExactly(new Turned("ceiling", Verdict.FAILED, Verdict.PASSED));
    assertThat(compared().hasRegression()).isFalse();
  }

  @Test
  void gateThatIsNotRunAnyMore_isARegression() throws IOException {
    earlier.passed("ceiling", 10);
    now.skipped("ceiling");
    assertThat(compared().hasRegression()).isTrue();
  }

  @Test
  void gatesOfOneRunOnly_areNewOrGone() throws IOException {
    earlier.reported("old").reported("both");
    now.reported("both").reported("newer");
    assertThat(compared().added()).containsExactly("newer");
    assertThat(compared().gone()).containsExactly("old");
    assertThat(compared().hasRegression()).isTrue();
  }

  @Test
  void figureBeyondTheShare_hasMovedTowardItsBoundOrAway() throws IOException {
    earlier.passed("ceiling", 5);
    now.passed("ceiling", 7);
    assertThat(compared().moved())
        .containsExactly(new Moved("ceiling", "origin_peak", 5, 7, Direction.WORSE));
    Comparison back = Comparison.of(now.suite(), earlier.suite(), QUARTER);
    assertThat(back.moved())
        .containsExactly(new Moved("ceiling", "origin_peak", 7, 5, Direction.BETTER));
  }

  @Test
  void figureWithinTheShare_hasNotMoved() throws IOException {
    earlier.passed("ceiling", 8);
    now.passed("ceiling", 10);
    assertThat(compared().moved()).isEmpty();
    assertThat(Comparison.of(earlier.suite(), now.suite(), 0.2).moved()).hasSize(1);
  }

  @Test
  void otherProcessor_isTold() throws IOException {
    Suite suite = earlier.passed("ceiling", 10).suite();
    GateReport gate = suite.gates().get(0);
    Suite elsewhere =
        new Suite(
            "",
            List.of(
                GateReport.parse(gate.toJson().replaceAll("\"cores\" : \\d+", "\"cores\" : 1024"))),
            List.of());
    assertThat(Comparison.of(elsewhere, suite, QUARTER).sameMachine()).isFalse();
    assertThat(Comparison.of(suite, suite, QUARTER).sameMachine()).isTrue();
    Machine machine = elsewhere.machines().get(0);
    assertThat(machine.cores()).isEqualTo(1024);
  }

  private Comparison compared() throws IOException {
    return Comparison.of(earlier.suite(), now.suite(), QUARTER);
  }
}

package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.chaos.MixedVisit.Speech;
import dev.sluice.fixture.Await;
import dev.sluice.fixture.crowd.CrowdResult;
import dev.sluice.reports.Gate;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults on connections with TLS, with HTTP/2, and with both, on either side of Sluice: in the
 * handshake, in streams and in ends.
 */
class SecureFaultsGate {

  private static final int PAGE = MixedVisit.PAGE;
  private static final String STREAMED = "&chunks=6&every=30";
  private static final int STREAM_MILLIS = 150;
  private static final int TINY_MILLIS = 150;
  private static final long RECOVERY_MILLIS_MAX = 3_000;

  /** Less than a handshake has, and more than its first flight. */
  private static final int HANDSHAKE_LIMIT = 600;

  @TempDir Path folder;

  @Test
  void faultsUnderTlsAndHttp2_noStreamIsLiedTo() {
    judge(
        "secure",
        Speech.TLS_HTTP2,
        trials -> {
          for (ToxicDirection way : ToxicDirection.values()) {
            trials.tinySlices(way);
            trials.cutHandshake(way);
          }
        });
  }

  @Test
  void faultsUnderTlsAndHttp1_noVisitIsLiedTo() {
    judge("secure-http1", Speech.TLS_HTTP1, Trials::truncated);
  }

  @Test
  void faultsUnderHttp2WithoutTls_noStreamIsLiedTo() {
    judge("clear-http2", Speech.CLEAR_HTTP2, trials -> {});
  }

  private void judge(String name, Speech speech, Consumer<Trials> besides) {
    ChaosStack.claim(
            name,
            "Whatever befalls a connection on either side, no visit on it takes a piece for a whole.")
        .given("speech", speech)
        .given("page_bytes", PAGE)
        .given("upload_bytes", MixedVisit.UPLOAD)
        .judge(
            gate -> {
              try (var stack = SecureStack.open(speech, folder)) {
                var trials = new Trials(gate, stack);
                trials.control();
                trials.clientsLines();
                trials.uploadCut();
                Cell.all().forEach(trials::originsLine);
                besides.accept(trials);
                long twice =
                    stack.origin().stats().paths().entrySet().stream()
                        .filter(path -> path.getKey().startsWith("/page/"))
                        .filter(path -> path.getKey().endsWith("/" + MixedVisit.UPLOADED))
                        .filter(path -> path.getValue() > 1)
                        .count();
                gate.measured("uploads_done_twice", twice, exactly(0));
                stack.aftermath().judge(gate);
              }
            });
  }

  /** Confined to the gate's thread. */
  private record Trials(Gate gate, SecureStack stack) {

    /** The same faults without Sluice, all at once. */
    void control() {
      try (var lines = StruckLines.to(stack.origin().port(), Cell.all()).strike(Cell::strike)) {
        lines
            .atOnce((cell, port) -> stack.visit(port, "/bare/" + cell.name(), ""))
            .forEach(
                (cell, seen) -> bare(cell.name(), cell.isHarmless(), cell.fault().millis(), seen));
      }
      stack.origin().reset();
    }

    private void bare(String name, boolean harmless, int millis, MixedVisit seen) {
      gate.control(name + "_bare_whole", whole(seen), exactly(harmless ? 1 : 0));
      if (harmless) {
        gate.control(name + "_bare_millis", seen.tookMillis(), atLeast(millis));
      }
    }

    /** All at once, each on a line of its own. */
    void clientsLines() {
      try (var lines = StruckLines.to(stack.clientsPort(), Cell.all()).strike(Cell::strike)) {
        lines
            .atOnce(
                (cell, port) -> stack.visit(port, "/page/" + cell.name() + "_client/", STREAMED))
            .forEach(
                (cell, seen) -> {
                  judge(cell.name() + "_client", cell.isHarmless(), seen);
                  if (cell.fault() == Fault.SLOW_CLOSE) {
                    gate.control(
                        cell.name() + "_client_millis",
                        seen.tookMillis(),
                        atLeast(STREAM_MILLIS + cell.fault().millis()));
                  }
                });
      }
      recover("client");
    }

    /** No more than a window is sent before the origin takes some of it: it knows of the upload. */
    void uploadCut() {
      String path = "/cut/";
      try (var front = Line.to(stack.clientsPort())) {
        front.strike(new Cell(Fault.LIMIT_DATA, ToxicDirection.UPSTREAM).strike());
        CutUpload.judge(
            gate,
            stack.sluice(),
            () -> stack.origin().stats(),
            path + MixedVisit.UPLOADED,
            () -> stack.visit(front.port(), path, ""));
      }
    }

    void originsLine(Cell cell) {
      struck(
          cell.name() + "_origin",
          cell.strike(),
          cell.isHarmless(),
          stack.back(),
          stack.clientsPort());
    }

    void tinySlices(ToxicDirection way) {
      trial(
          "tiny_slices",
          way,
          line -> line.toxics().slicer("tiny", way, 5, 50).setSizeVariation(4),
          true);
    }

    void cutHandshake(ToxicDirection way) {
      int limit = way == ToxicDirection.UPSTREAM ? 100 : HANDSHAKE_LIMIT;
      trial("cut_handshake", way, line -> line.toxics().limitData("cut", way, limit), false);
    }

    /** Without Sluice, then on either side of it. */
    private void trial(String words, ToxicDirection way, Line.Change strike, boolean harmless) {
      String name = (words + "_" + way).toLowerCase(Locale.ROOT);
      try (var bare = Line.to(stack.origin().port());
          var front = Line.to(stack.clientsPort())) {
        bare.strike(strike);
        bare(name, harmless, TINY_MILLIS, stack.visit(bare.port(), "/bare/" + name + "/", ""));
        struck(name + "_client", strike, harmless, front, front.port());
      }
      // Connections that are there already would have their handshakes behind them.
      stack.back().cut();
      stack.back().restore();
      struck(name + "_origin", strike, harmless, stack.back(), stack.clientsPort());
    }

    /**
     * A page that ends with its connection, cut: TLS would have said so if that were the end (RFC
     * 8446 6.1).
     */
    void truncated() {
      var cell = new Cell(Fault.LIMIT_DATA, ToxicDirection.DOWNSTREAM);
      String target = "/truncated?bytes=" + PAGE + "&framing=close";
      try (var bare = Line.to(stack.origin().port())) {
        bare.strike(cell.strike());
        boolean taken = stack.isTakenForWhole(bare.port(), target);
        gate.control("truncated_is_taken_for_whole", taken, equalTo(true));
      }
      stack.back().strike(cell.strike());
      CrowdResult seen = ChaosStack.crowd(stack.sluice().port(), 1, target);
      stack.back().heal();
      gate.measured("truncated_seen", Sight.of(seen.visits().get(0)), equalTo(Sight.CUT));
    }

    private void struck(String name, Line.Change strike, boolean harmless, Line line, int port) {
      line.strike(strike);
      MixedVisit seen = stack.visit(port, "/page/" + name + "/", STREAMED);
      line.heal();
      judge(name, harmless, seen);
      recover(name);
    }

    private void judge(String name, boolean harmless, MixedVisit seen) {
      gate.measured(name + "_seen", seen.toString());
      gate.measured(name + "_whole", whole(seen), exactly(harmless ? 1 : 0));
      gate.measured(
          name + "_lies", seen.sights().stream().filter(Sight::isLie).count(), exactly(0));
    }

    private static int whole(MixedVisit seen) {
      return seen.isWhole() ? 1 : 0;
    }

    private void recover(String name) {
      long began = System.nanoTime();
      Await.until(
          "whole visit",
          ChaosStack.PATIENCE,
          () -> stack.visit(stack.clientsPort(), "/after/" + name + "/", "").isWhole());
      gate.measured(
          name + "_recovery_millis",
          (System.nanoTime() - began) / 1_000_000,
          atMost(RECOVERY_MILLIS_MAX));
    }
  }
}

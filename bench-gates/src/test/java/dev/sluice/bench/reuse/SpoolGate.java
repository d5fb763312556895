package dev.sluice.bench.reuse;

import static dev.sluice.reports.Bound.below;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.bench.reuse.Shop.Answer;
import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.reports.Gate;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * With one permit and a reader that stands still: when does the next request get its turn? SPL-05
 * to 15, 18, 20, BEY-01.
 */
class SpoolGate {

  private static final int MIB = 1 << 20;
  private static final int BODY_MAX = 16 * MIB;
  private static final int MEMORY_MAX = 20 * MIB;
  private static final long ADMITTED_MILLIS = 1_000;
  private static final long WRITE_TIMEOUT_MILLIS = 5_000;

  /** A look each second, the hold behind the cut, and what a busy machine adds. */
  private static final long CUT_SLACK_MILLIS = 5_000;

  private static final String SPOOLED =
      "  - { id: spool, match: \"/spool/**\", class: private_dynamic, spool: { enabled: true } }";

  private static final int READERS = 2;
  private static final int SLOW_BYTES_A_SECOND = 32_000;
  private static final int SLOW_BODY = 8 * MIB;

  @Test
  void spooledBody_givesThePermitBackAtTheOriginsEnd() {
    claim("spool", "With the spool on the permit returns when the origin ends.")
        .given("body_bytes", "1 and 8 MiB")
        .judge(
            gate -> {
              try (var shop = Shop.open(file())) {
                Behind plain = behind(shop, "/plain/8", 8 * MIB);
                gate.control("next_status", plain.next().status(), exactly(503));
                gate.control("origin_still_writing", plain.writing(), exactly(1));
                gate.control("body_is_whole", plain.whole(), equalTo(true));

                for (int mib : new int[] {1, 8}) {
                  shop.origin().reset();
                  String path = "/spool/" + mib;
                  Behind spooled = behind(shop, path, mib * MIB);
                  String of = "_behind_" + mib + "_mib";
                  gate.measured("next_status" + of, spooled.next().status(), exactly(200));
                  gate.measured(
                      "next_millis" + of, spooled.next().tookMillis(), below(ADMITTED_MILLIS));
                  gate.measured("origin_still_writing" + of, spooled.writing(), exactly(0));
                  gate.measured("body_is_whole" + of, spooled.whole(), equalTo(true));
                }
              }
            });
  }

  @Test
  void spooledBody_isReadWhileTheOriginRenders() {
    claim("spool-progressive", "A spooled page is read from its first byte while it is rendered.")
        .given("body_bytes", 4 * MIB)
        .given("chunks", "5, 400 ms apart")
        .judge(
            gate -> {
              String target = "?framing=length&chunks=5&every=400&bytes=" + 4 * MIB;
              try (var shop = Shop.open(file());
                  var whole = shop.connect().get("/spool/whole" + target)) {
                whole.readFinalHead();
                whole.readBody(4 * MIB);
                gate.control(
                    "renders_over_at_the_end", shop.counted().finishedRendering(), exactly(1));

                shop.origin().reset();
                try (var reader = shop.connect().get("/spool/early" + target)) {
                  reader.readFinalHead();
                  byte[] first = reader.readBody(64 << 10);
                  gate.measured(
                      "renders_over_at_64_kib", shop.counted().finishedRendering(), exactly(0));
                  byte[] rest = reader.readBody(4 * MIB - first.length);
                  gate.measured(
                      "body_is_whole", isWhole("/spool/early", first, rest), equalTo(true));
                }
              }
            });
  }

  @Test
  void bodyThatIsTooLarge_streams_andHoldsThePermitForTheWriteTimeoutAtMost() {
    claim("spool-too-large", "A body too large for the spool is streamed whole.")
        .given("body_bytes", 32 * MIB)
        .given("control_body_bytes", BODY_MAX)
        .given("downstream_write_millis", WRITE_TIMEOUT_MILLIS)
        .judge(
            gate -> {
              try (var shop = Shop.open(file())) {
                Behind fits = behind(shop, "/spool/16", BODY_MAX);
                gate.control("next_status", fits.next().status(), exactly(200));

                shop.origin().reset();
                Behind large = behind(shop, "/spool/32", 32 * MIB);
                gate.measured("next_status", large.next().status(), exactly(503));
                gate.measured("origin_still_writing", large.writing(), exactly(1));
                gate.measured("body_is_whole", large.whole(), equalTo(true));

                shop.origin().reset();
                long began = System.nanoTime();
                try (var standing = reader(shop, "/spool/stands", 32 * MIB)) {
                  Answer patient = shop.fetch("/patient/next?ms=1");
                  gate.measured("patient_status", patient.status(), exactly(200));
                  gate.measured(
                      "patient_millis",
                      patient.tookMillis(),
                      between(WRITE_TIMEOUT_MILLIS / 2.0, 2.0 * WRITE_TIMEOUT_MILLIS));
                  gate.measured("stalled_readers_end", standing.awaitEnd().name());
                  gate.measured(
                      "stalled_reader_cut_after_millis",
                      Shop.millisSince(began),
                      between(WRITE_TIMEOUT_MILLIS, WRITE_TIMEOUT_MILLIS + CUT_SLACK_MILLIS));
                  gate.measured("aborted_at_the_origin", shop.counted().aborted(), exactly(1));
                }
              }
            });
  }

  @Test
  void exhaustedBudget_streamsWhatFindsNoRoom() {
    claim("spool-budget", "A body that finds no room in the spools' budget is streamed whole.")
        .given("body_bytes", "two of " + BODY_MAX)
        .judge(
            gate -> {
              try (var shop = Shop.open(file());
                  var first = reader(shop, "/spool/first", BODY_MAX)) {
                shop.awaitOrigin("the first body's end", counted -> counted.finishedWriting() == 1);
                gate.control("next_status", shop.fetch("/plain/next?ms=1").status(), exactly(200));

                shop.origin().reset();
                Behind second = behind(shop, "/spool/second", BODY_MAX);
                gate.measured("next_status", second.next().status(), exactly(503));
                gate.measured("origin_still_writing", second.writing(), exactly(1));
                gate.measured("body_is_whole", second.whole(), equalTo(true));
                gate.measured(
                    "first_body_is_whole",
                    isWhole("/spool/first", first.readBody(BODY_MAX)),
                    equalTo(true));
              }
            });
  }

  /** GTE-21 to 25, with the predecessor's parameters. */
  @Test
  void slowReaders_onAllPermits_keepTheProbeOutWithoutASpoolAlone() {
    int small = 2 * MIB;
    Shop.claim(
            "spool-slow-readers", "Slow readers keep the next request out without a spool alone.")
        .given("body_bytes", SLOW_BODY)
        .given("readers", READERS)
        .given("reader_bytes_a_second", SLOW_BYTES_A_SECOND)
        .given("ceiling", READERS)
        .given("downstream_write", "60 s")
        .given("queue_timeout", "1 s")
        .given("spool_max_body", BODY_MAX)
        .given("spool_max_body_where_too_large", small)
        .judge(
            gate -> {
              try (var shop = Shop.open(slowReadersFile(BODY_MAX))) {
                Probed off = probed(shop, "/plain/");
                gate.control("finished_renders", off.rendered(), exactly(READERS));
                gate.control("probe_status", off.probe().status(), exactly(503));
                gate.control("bodies_are_whole", off.whole(), exactly(READERS));

                Probed on = probed(shop, "/spool/");
                gate.measured("finished_renders", on.rendered(), exactly(READERS));
                gate.measured("probe_status", on.probe().status(), exactly(200));
                gate.measured("probe_millis", on.probe().tookMillis(), below(ADMITTED_MILLIS));
                gate.measured("bodies_are_whole", on.whole(), exactly(READERS));

                shop.reload(slowReadersFile(small));
                Probed large = probed(shop, "/spool/");
                gate.measured("finished_renders_too_large", large.rendered(), exactly(READERS));
                gate.measured("probe_status_too_large", large.probe().status(), exactly(503));
                gate.measured("bodies_are_whole_too_large", large.whole(), exactly(READERS));
              }
            });
  }

  /**
   * What a probe met beside slow readers.
   *
   * @param rendered how many of their renders the origin had finished when it was sent
   * @param whole how many of them then got all they were to get
   */
  private record Probed(Answer probe, long rendered, long whole) {}

  private static Probed probed(Shop shop, String route) {
    shop.origin().reset();
    try (var one = SlowReader.of(shop, route + "one", SLOW_BODY, SLOW_BYTES_A_SECOND);
        var other = SlowReader.of(shop, route + "other", SLOW_BODY, SLOW_BYTES_A_SECOND)) {
      shop.awaitOrigin("both renders' end", counted -> counted.finishedRendering() == READERS);
      long rendered = shop.counted().finishedRendering();
      Answer probe = shop.fetch("/plain/probe?ms=1");
      long whole = Stream.of(one, other).filter(SlowReader::getsAllOfIt).count();
      return new Probed(probe, rendered, whole);
    }
  }

  private static ShopFile slowReadersFile(int maxBody) {
    return ShopFile.of(
            "timeouts: { downstream_write: 60s }",
            "spool: { max_body: %dB, max_memory: %dB }".formatted(maxBody, 4 * BODY_MAX),
            "routes:",
            "  - { id: plain, match: \"/plain/**\", class: private_dynamic }",
            SPOOLED)
        .origin(
            "concurrency: { max: %d, queue: { max: 10, timeout: 1s, predict: false } }"
                .formatted(READERS));
  }

  /**
   * What was seen behind a reader that stood still.
   *
   * @param writing what the origin had still to write when the next request was answered
   */
  private record Behind(Answer next, long writing, boolean whole) {}

  private static Behind behind(Shop shop, String path, int bytes) {
    try (var reader = reader(shop, path, bytes)) {
      Answer next = shop.fetch("/plain/next?ms=1");
      long writing = shop.counted().inFlight();
      return new Behind(next, writing, isWhole(path, reader.readBody(bytes)));
    }
  }

  /** One that has its head and reads nothing more. */
  private static RawClient reader(Shop shop, String path, int bytes) {
    RawClient reader = shop.connectNarrow().get(path + "?bytes=" + bytes);
    reader.readFinalHead();
    return reader;
  }

  private static boolean isWhole(String path, byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return Arrays.equals(all, Bodies.expected(path, length));
  }

  private static Gate claim(String name, String claim) {
    return Shop.claim(name, claim)
        .given("ceiling", 1)
        .given("spool_max_body", BODY_MAX)
        .given("spool_max_memory", MEMORY_MAX);
  }

  private static ShopFile file() {
    return ShopFile.of(
            "timeouts: { downstream_write: %dms }".formatted(WRITE_TIMEOUT_MILLIS),
            "spool: { max_body: %dB, max_memory: %dB }".formatted(BODY_MAX, MEMORY_MAX),
            "routes:",
            "  - { id: plain, match: \"/plain/**\", class: private_dynamic }",
            SPOOLED,
            "  - { id: patient, match: \"/patient/**\", class: private_dynamic,"
                + " concurrency: { max: 1, queue: { timeout: 20s } } }")
        .origin("concurrency: { max: 1, queue: { max: 10, timeout: 1s, predict: false } }");
  }
}

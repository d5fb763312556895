package dev.sluice.bench;

import static dev.sluice.reports.Bound.above;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.bench.journey.Requests;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.launch.RepoRoot;
import dev.sluice.fixture.launch.SlowOriginProcess;
import dev.sluice.net.BindFailure;
import dev.sluice.reports.Gate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What an answer out of the store allocates on the event loop's heap. */
class HitCostGate {

  private static final int WARM_UP = 30_000;
  private static final int REQUESTS = 20_000;
  private static final int BODY_BYTES = 16 << 10;

  /** The design's kibibyte is without the channel's own 64 bytes, which are in here. */
  private static final double PLAIN_BYTES_MAX = 1_024 + 64;

  private static final double ABOVE_DECODER_MAX = 512;

  private static final String TARGET = "/shop/page?bytes=" + BODY_BYTES;

  private static final String STORE =
      """
      cache: { enabled: %s }
      routes:
        - id: shop
          match: "/shop/**"
          class: public_ssr
          cookies: { ignore: ["_ga*"] }
          cache: { override_origin: true, ttl: { max: 1h } }
      """;

  private static final String PLAIN = Requests.wrk(TARGET);
  private static final String BROWSER = Requests.browser(TARGET);

  @Test
  void hit_ofAPlainRequest_allocatesAtMostOneKibibyte() {
    claim("hit-cost-plain", "A hit allocates at most 1 KiB for a request of one field.")
        .judge(
            gate -> {
              gate.measured("netty_decoder_alone", Math.round(decoderAlone(PLAIN)));
              control(gate, PLAIN);
              hits(gate, PLAIN, PLAIN_BYTES_MAX);
            });
  }

  @Test
  void hit_ofABrowsersRequest_allocatesLittleMoreThanADecoder() {
    claim("hit-cost-browser", "A hit allocates at most 512 B beside a decoder's own bytes.")
        .given("fields", BROWSER.split("\r\n").length - 1)
        .judge(
            gate -> {
              double decoder = decoderAlone(BROWSER);
              gate.measured("netty_decoder_alone", Math.round(decoder));
              gate.measured(
                  "fields", BROWSER.split("\r\n").length - 1, exactly(Requests.BROWSER_FIELDS));
              control(gate, BROWSER);
              hits(gate, BROWSER, decoder + ABOVE_DECODER_MAX);
            });
  }

  private static Gate claim(String name, String claim) {
    return Gate.claim(name, claim, RepoRoot.path())
        .given("requests", REQUESTS)
        .given("warm_up_requests", WARM_UP)
        .given("body_bytes", BODY_BYTES)
        .given("event_loops", 1);
  }

  private static void hits(Gate gate, String request, double most) throws BindFailure, IOException {
    try (var origin = SlowOriginProcess.start("--loops", "1");
        var sluice = new OneLoop(origin.port(), STORE.formatted(true));
        var client = RawClient.connect(sluice.port(), Stack.PATIENCE)) {
      sluice.bytesForEach(WARM_UP, () -> ask(client, request));
      double half = sluice.bytesForEach(REQUESTS / 2, () -> ask(client, request));
      double whole = sluice.bytesForEach(REQUESTS, () -> ask(client, request));
      gate.measured("origin_requests", origin.stats().requests(), exactly(1));
      gate.measured("bytes_for_each_hit", Math.round(whole), atMost(Math.floor(most)));
      // A figure that is each request's own is the same over half as many.
      gate.measured(
          "bytes_for_each_of_half_as_many",
          Math.round(half),
          between(Math.floor(whole * 0.9), Math.ceil(whole * 1.1)));
    }
  }

  /** The same without a store: what the origin is asked for costs more. */
  private static void control(Gate gate, String request) throws BindFailure, IOException {
    try (var origin = SlowOriginProcess.start("--loops", "1");
        var sluice = new OneLoop(origin.port(), STORE.formatted(false));
        var client = RawClient.connect(sluice.port(), Stack.PATIENCE)) {
      sluice.bytesForEach(REQUESTS / 2, () -> ask(client, request));
      double missed = sluice.bytesForEach(REQUESTS / 4, () -> ask(client, request));
      gate.control("origin_requests", origin.stats().requests(), exactly(REQUESTS * 3L / 4));
      gate.control("bytes_for_each_miss", Math.round(missed), above(PLAIN_BYTES_MAX));
    }
  }

  private static void ask(RawClient client, String request) {
    client.send(request).readFinalHead();
    client.readBody(BODY_BYTES);
  }

  /** What Netty's own decoder allocates for the same bytes, without the channel around it. */
  private static double decoderAlone(String request) {
    // Leak detection notes where each buffer went, which is many times what the decoder takes.
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    try {
      return through(request, new HttpRequestDecoder()) - through(request, new Nothing());
    } finally {
      ResourceLeakDetector.setLevel(level);
    }
  }

  private static double through(String request, ChannelHandler first) {
    byte[] octets = request.getBytes(StandardCharsets.ISO_8859_1);
    ByteBuf bytes = Unpooled.directBuffer(octets.length).writeBytes(octets);
    var channel = new EmbeddedChannel(first, new Drop());
    Runnable read = () -> channel.writeInbound(bytes.retainedDuplicate());
    long thread = Thread.currentThread().getId();
    OneLoop.bytesForEach(thread, WARM_UP, read);
    double each = OneLoop.bytesForEach(thread, REQUESTS, read);
    channel.close();
    bytes.release();
    return each;
  }

  /** Hands on what comes. */
  private static final class Nothing extends ChannelInboundHandlerAdapter {}

  /** Where messages end. */
  private static final class Drop extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(io.netty.channel.ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }
  }
}

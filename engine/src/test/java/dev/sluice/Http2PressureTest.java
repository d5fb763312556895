package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawFrames;
import dev.sluice.fixture.SlowOrigin;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HTTP/2 where the socket, and not a window, says how fast it goes. */
class Http2PressureTest {

  @RegisterExtension static final Running running = new Running();

  private static final int INITIAL_WINDOW = 4;
  private static final int WIDE = 1 << 30;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The socket that takes all at once says that it has room while it is being written to. */
  @Test
  void wideWindows_storedBody_goesAsFastAsTheSocketTakesIt() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), Visitors.shop().server("h2c: true"));
    String target = "/p?bytes=1000000&h=Cache-Control:max-age%3D60";
    assertThat(new Visitors(running, proxy).get(target, "Host: a.example").status()).isEqualTo(200);
    RawFrames client = Http2Wire.connect(running, proxy, INITIAL_WINDOW, WIDE);
    client.windowUpdate(0, WIDE).get(1, target);

    RawFrames.Answer answer = client.answer(1);

    assertThat(answer.body()).isEqualTo(Bodies.expected("/p", 1_000_000));
    assertThat(origin.stats().requests()).isOne();
  }

  /** What a client says of its last answer does not reset that away. */
  @Test
  void lastAnswer_arrivesWhole_whileItsClientCreditsIt() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), Http2Wire.h2c());
    RawClient socket = running.closing(RawClient.connect(proxy.port(), PATIENCE, 4 * 1024));
    RawFrames client = RawFrames.open(socket, INITIAL_WINDOW, WIDE).windowUpdate(0, WIDE);
    client.get(1, "/x?bytes=100000").frame(RawFrames.GOAWAY, 0, 0, new byte[8]);
    Running.awaitRequests(origin, 1);
    Running.await("the exchange's end", () -> proxy.status().work().exchanges() == 0);

    for (int i = 0; i < 20; i++) {
      client.windowUpdate(0, 1);
    }

    assertThat(client.answer(1).body()).isEqualTo(Bodies.expected("/x", 100_000));
  }

  /** RFC 7541 4.2: of all the sizes that a peer's table had, a block tells two at most. */
  @Test
  void tableSizes_areNotTalliedUp() {
    SlowOrigin origin = running.slowOrigin();
    RawFrames client = Http2Wire.connect(running, running.proxy(origin.port(), Http2Wire.h2c()));
    var sizes = new int[400];
    for (int i = 0; i < sizes.length; i += 2) {
      sizes[i] = 1;
      sizes[i + 1] = i % 4 == 0 ? 0 : 4096;
    }
    client.settings(sizes).get(1, "/x?bytes=5");

    RawFrames.Frame head = client.await(RawFrames.HEADERS);

    long updates = head.payload().length;
    assertThat(updates).as("bytes of a head").isLessThan(300);
    assertThat(head.payload()[0] & 0xe0).as("its first is an update").isEqualTo(0x20);
  }

  /** RFC 9113 8.2.1: a crumb begins and ends with no blank. */
  @Test
  void cookies_areCrumbsWithoutBlanks() {
    SlowOrigin origin = running.slowOrigin();
    Sluice proxy = running.proxy(origin.port(), ProxyFile.plain().origin("http_version: http2"));

    String echoed =
        running
            .client(proxy)
            .send(
                "POST /x?echo=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
                    + "Cookie: a=1 ;  b=2; ; c=3\r\n\r\nz")
            .readAll()
            .text();

    // One field again, as the origin's library has it.
    assertThat(echoed).contains("[\"cookie\",\"a=1; b=2; c=3\"]");
  }
}

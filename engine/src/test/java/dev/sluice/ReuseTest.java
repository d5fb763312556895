package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.Bodies;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What clients and the origin see of answers that are shared and kept. */
class ReuseTest {

  private static final String FRESH = "&h=Cache-Control:max-age%3D60";

  @RegisterExtension static final Running running = new Running();

  private SlowOrigin origin;
  private Sluice sluice;

  @BeforeEach
  void start() {
    origin = running.slowOrigin();
    sluice = running.proxy(origin.port(), shop(""));
  }

  private static ProxyFile shop(String more) {
    return ProxyFile.plain()
        .server("debug_headers: true")
        .block("cache: { enabled: true }")
        .block("routes: [ { id: shop, match: \"/shop/**\", class: public_ssr" + more + " } ]");
  }

  private long renders() {
    return origin.stats().rendersBegun();
  }

  private RawResponse get(String target, String... fields) {
    var request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: a\r\n");
    for (String field : fields) {
      request.append(field).append("\r\n");
    }
    return running.client(sluice).send(request + "\r\n").readAll();
  }

  @Test
  void secondRequest_isAHit_andTheOriginIsAskedOnce() {
    RawResponse first = get("/shop/a?bytes=5000" + FRESH);
    RawResponse second = get("/shop/a?bytes=5000" + FRESH);

    assertThat(first.header("X-Sluice")).isEqualTo("MISS");
    assertThat(second.header("X-Sluice")).isEqualTo("HIT");
    assertThat(second.header("Age")).isEqualTo("0");
    assertThat(second.body()).isEqualTo(Bodies.expected("/shop/a", 5000));
    assertThat(second.header("X-Render")).isEqualTo(first.header("X-Render"));
    assertThat(renders()).isEqualTo(1);
  }

  @Test
  void crowdOnOnePage_isOneRender() {
    List<RawClient> crowd = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      crowd.add(running.client(sluice).get("/shop/b?ms=300&bytes=40000" + FRESH));
    }
    for (RawClient client : crowd) {
      assertThat(client.readAll().body()).isEqualTo(Bodies.expected("/shop/b", 40000));
    }
    assertThat(renders()).isEqualTo(1);
  }

  @Test
  void answerWithASession_isNobodyElses() {
    List<RawClient> crowd = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      crowd.add(running.client(sluice).get("/shop/c?ms=100&cookie=1" + FRESH));
    }
    List<String> sessions = new ArrayList<>();
    for (RawClient client : crowd) {
      sessions.add(client.readAll().header("Set-Cookie"));
    }
    assertThat(sessions).doesNotHaveDuplicates().doesNotContainNull();
    assertThat(renders()).isEqualTo(20);
  }
}

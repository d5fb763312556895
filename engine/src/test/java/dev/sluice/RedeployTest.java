package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.fixture.RawClient;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a reload does to what is stored (CCH-29 to CCH-31, DEC-19). */
class RedeployTest {

  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  @RegisterExtension static final Running running = new Running();

  private final AtomicReference<String> body = new AtomicReference<>("page");
  private HeldOrigin origin;
  private Visitors visitors;
  private Operator operator;

  @BeforeEach
  void start() {
    origin =
        running.closing(
            HeldOrigin.start(
                asked -> HeldOrigin.ok("Cache-Control: max-age=60", body.get() + asked.number())));
    Sluice proxy = running.proxy(origin.port(), shop("a", "4MiB"));
    visitors = new Visitors(running, proxy);
    operator = new Operator(running, proxy);
  }

  private static ProxyFile shop(String deployment, String cacheMemory) {
    return ProxyFile.plain()
        .server("debug_headers: true")
        .block("deployment: { id: " + deployment + " }")
        .block(
            "cache: { enabled: true, max_body_size: 64KiB, max_memory: "
                + cacheMemory
                + ", purge: { token: "
                + Operator.TOKEN
                + " } }")
        .block("routes: [ { id: shop, match: \"/**\", class: public_ssr } ]");
  }

  private void reload(ProxyFile file) throws IOException {
    visitors.sluice().reload(Running.settings(origin.port(), file));
  }

  private long bytes() {
    return operator.status().at("/cache/bytes").asLong();
  }

  /** CCH-29, CCH-30. */
  @Test
  void anotherDeployment_startsEmpty_andTheBytesAreBack() throws IOException {
    visitors.get("/a");
    visitors.get("/b");
    assertThat(bytes()).isPositive();

    reload(shop("b", "4MiB"));

    Running.await("bytes back", () -> bytes() == 0);
    assertThat(operator.status().at("/cache/entries").asLong()).isZero();
    assertThat(operator.status().at("/cache/purged_entries").asLong()).isEqualTo(2);
    assertThat(visitors.get("/a").header("X-Sluice")).isEqualTo("MISS");
    assertThat(visitors.get("/a").header("X-Sluice")).isEqualTo("HIT");
  }

  /** CCH-31. */
  @Test
  void sameDeployment_keepsWhatIsStored() throws IOException {
    visitors.get("/a");

    reload(shop("a", "4MiB").server("via: none"));

    assertThat(operator.status().at("/generation").asInt()).isEqualTo(2);
    assertThat(visitors.get("/a").header("X-Sluice")).isEqualTo("HIT");
  }

  /** What the old build answers after the reload serves who asked for it, and nobody else. */
  @Test
  void answerUnderWayAcrossTheReload_isNotKept() throws IOException {
    origin.hold();
    RawClient before = visitors.ask("GET", "/a");
    origin.awaitRequests(1);
    reload(shop("b", "4MiB"));
    RawClient after = visitors.ask("GET", "/a");
    origin.awaitRequests(2);
    origin.release();

    assertThat(before.readAll().text()).isEqualTo("page0");
    assertThat(after.readAll().text()).isEqualTo("page1");
    visitors.awaitIdle();
    assertThat(operator.status().at("/cache/entries").asLong()).isEqualTo(1);
    assertThat(visitors.get("/a").text()).isEqualTo("page1");
  }

  /** One that is admitted only after the reload, too: its key is the old build's. */
  @Test
  void requestThatWaitedAcrossTheReload_isNotKept() throws IOException {
    ProxyFile tight = shop("a", "4MiB").origin("concurrency: { max: 1, queue: { timeout: 9s } }");
    Sluice proxy = running.proxy(origin.port(), tight);
    visitors = new Visitors(running, proxy);
    operator = new Operator(running, proxy);
    origin.hold();
    RawClient holder = visitors.ask("GET", "/holds");
    origin.awaitRequests(1);
    RawClient waiting = visitors.ask("GET", "/a");
    Running.awaitWaiting(proxy, 1);

    reload(shop("b", "4MiB").origin("concurrency: { max: 1, queue: { timeout: 9s } }"));
    origin.release();

    assertThat(holder.readAll().text()).isEqualTo("page0");
    assertThat(waiting.readAll().text()).isEqualTo("page1");
    visitors.awaitIdle();
    assertThat(operator.status().at("/cache/entries").asLong()).isZero();
    assertThat(bytes()).isZero();
  }

  /** DEC-19 does not fix it, so it takes effect. */
  @Test
  void cacheMemory_isWhatTheReloadSays() throws IOException {
    body.set("x".repeat(60 * KIB));
    for (int i = 0; i < 40; i++) {
      visitors.get("/" + i);
    }
    assertThat(bytes()).isGreaterThan(2 * MIB);

    reload(shop("a", "1MiB"));

    assertThat(operator.status().at("/cache/max_bytes").asLong()).isEqualTo(MIB);
    Running.await("the rest thrown out", () -> bytes() <= MIB);

    reload(shop("a", "8MiB"));
    for (int i = 0; i < 80; i++) {
      visitors.get("/" + i);
    }
    Running.await("more than before", () -> bytes() > 4 * MIB);
  }

  /** The token is read when it is used. */
  @Test
  void purgeToken_isWhatTheReloadSays() throws IOException {
    reload(
        ProxyFile.plain()
            .block("cache: { enabled: true }")
            .block("routes: [ { id: shop, match: \"/**\", class: public_ssr } ]"));

    assertThat(
            operator
                .ask("POST", "/purge?path=/a", "Authorization: Bearer " + Operator.TOKEN)
                .status())
        .isEqualTo(404);
  }
}

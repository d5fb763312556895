package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admin.EngineStatus;
import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.RawClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes of an upload that waits for its permit are given back however the wait ends. */
class HeldUploadTest {

  /** Of 5000 bytes that are sent. */
  enum Upload {
    WHOLE("Content-Length: 5000\r\n\r\n" + "x".repeat(5000)),
    CHUNKED("Transfer-Encoding: chunked\r\n\r\n1388\r\n" + "x".repeat(5000) + "\r\n0\r\n\r\n"),
    UNFINISHED("Content-Length: 6000\r\n\r\n" + "x".repeat(5000));

    private final String request;

    Upload(String behindHost) {
      this.request = "POST /up HTTP/1.1\r\nHost: a\r\n" + behindHost;
    }
  }

  @RegisterExtension static final Running running = new Running();

  @ParameterizedTest
  @EnumSource
  void clientThatLeavesTheQueue_takesItsUploadWithIt(Upload upload) throws Exception {
    var sluice = running.proxy(running.slowOrigin().port(), oneAtATime("60s"));
    try (var held = RawClient.connect(sluice.port()).get("/held?ms=60000")) {
      await(sluice, now -> now.work().flights() == 1);
      RawClient uploading = RawClient.connect(sluice.port()).send(upload.request);
      await(sluice, now -> now.memory().requestBytesHeld() == 5000);

      uploading.reset();

      EngineStatus after = await(sluice, now -> now.work().exchanges() == 1);
      assertThat(after.memory().requestBytesHeld()).isZero();
      assertThat(after.work().flights()).isEqualTo(1);
      held.reset();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"WHOLE", "CHUNKED"})
  void uploadThatIsShed_isGivenBack(Upload upload) throws Exception {
    var sluice = running.proxy(running.slowOrigin().port(), oneAtATime("200ms"));
    try (var held = RawClient.connect(sluice.port()).get("/held?ms=60000")) {
      await(sluice, now -> now.work().flights() == 1);
      try (var uploading = RawClient.connect(sluice.port()).send(upload.request)) {
        assertThat(uploading.readAll().status()).isEqualTo(503);
      }

      EngineStatus after = await(sluice, now -> now.work().exchanges() == 1);
      assertThat(after.memory().requestBytesHeld()).isZero();
      held.reset();
    }
  }

  private static ProxyFile oneAtATime(String queueTimeout) {
    return ProxyFile.plain()
        .block(
            ("routes: [ { id: one, match: \"/**\", class: private_dynamic, concurrency: { max: 1,"
                    + " queue: { timeout: %s } } } ]")
                .formatted(queueTimeout));
  }

  private static EngineStatus await(Sluice sluice, Predicate<EngineStatus> wanted) {
    Deadline deadline = Deadline.in(Duration.ofSeconds(20));
    EngineStatus now = sluice.status();
    while (!wanted.test(now)) {
      deadline.check("wanted status, only " + now);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
      now = sluice.status();
    }
    return now;
  }
}

package dev.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.fixture.SlowOrigin;
import dev.sluice.fixture.SlowOriginSettings;
import dev.sluice.fixture.launch.RealProcess;
import dev.sluice.fixture.launch.SluiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A slow origin in this JVM and a Sluice process before it. Confined to one thread. */
final class Governed implements AutoCloseable {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final SlowOrigin origin = SlowOrigin.start(SlowOriginSettings.defaults());
  private final SluiceProcess sluice;

  private Governed(String config) {
    try {
      sluice =
          SluiceProcess.startFromClassPath(
              config.replace("{{origin}}", "127.0.0.1:" + origin.port()), Program.QUICK_START);
    } catch (RuntimeException | AssertionError e) {
      origin.close();
      throw e;
    }
  }

  /** With this text as its file, where {@code {{origin}}} is the origin's address. */
  static Governed by(String config) {
    return new Governed(config);
  }

  void reload(String config) {
    sluice.reload(filled(config));
  }

  private String filled(String config) {
    return config.replace("{{origin}}", "127.0.0.1:" + origin.port());
  }

  SlowOrigin origin() {
    return origin;
  }

  SluiceProcess sluice() {
    return sluice;
  }

  RealProcess process() {
    return sluice.process();
  }

  int port() {
    return sluice.port();
  }

  int readiness() {
    return sluice.admin("/health/ready").status();
  }

  JsonNode status() {
    try {
      return new ObjectMapper().readTree(sluice.status());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A client whose request is at the origin when this returns; its answer is still to be read. */
  RawClient beginAtOrigin(String target) {
    long before = origin.stats().inFlight();
    RawClient client = RawClient.connect(port(), Program.PATIENCE).get(target);
    await(target + " at the origin", () -> origin.stats().inFlight() == before + 1);
    return client;
  }

  /** A client whose request waits for a permit when this returns. */
  RawClient beginWaiting(String target) {
    int before = waiting();
    RawClient client = RawClient.connect(port(), Program.PATIENCE).get(target);
    await(target + " in the queue", () -> waiting() == before + 1);
    return client;
  }

  int waiting() {
    return status().at("/admission/render/waiting").asInt();
  }

  /** A request on a connection of its own. */
  RawResponse get(String target) {
    try (var client = RawClient.connect(port(), Program.PATIENCE)) {
      return client.get(target).readAll();
    }
  }

  boolean acceptsConnections() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), 2_000);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  static void await(String what, BooleanSupplier condition) {
    Deadline deadline = Deadline.in(Program.PATIENCE);
    while (!condition.getAsBoolean()) {
      deadline.check(what);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Override
  public void close() {
    sluice.process().kill();
    sluice.close();
    origin.close();
  }
}

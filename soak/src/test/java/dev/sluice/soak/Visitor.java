package dev.sluice.soak;

import dev.sluice.fixture.Deadline;
import dev.sluice.fixture.PeerClosed;
import dev.sluice.fixture.RawClient;
import dev.sluice.fixture.RawResponse;
import dev.sluice.soak.Ask.Answer;
import dev.sluice.soak.Ask.Kind;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One client of the mix: asks, stays or leaves, and again until time is up. Confined to its thread.
 */
final class Visitor implements Runnable {

  /** Above the queue's, the connection's and the origin's timeouts together. */
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  private static final int RECEIVE_BUFFER = 8_192;
  private static final int STAY_MILLIS = 250;
  private static final int PIPELINE_MAX = 4;

  private final int port;
  private final Random random;
  private final Deadline end;
  private final Ledger ledger;
  private final Asks asks;
  private @Nullable RawClient kept;

  /** {@code asks} makes up what it asks for from the visitor's own chance. */
  Visitor(int port, long seed, Deadline end, Ledger ledger, Function<Random, Asks> asks) {
    this.port = port;
    this.random = new Random(seed);
    this.end = end;
    this.ledger = ledger;
    this.asks = asks.apply(random);
  }

  @Override
  public void run() {
    while (!end.isOver()) {
      visit();
    }
    drop();
  }

  private void visit() {
    Departure how = Departure.pick(random);
    if (how != Departure.STAY) {
      leave(asks.next(random.nextBoolean()), how);
    } else if (random.nextInt(8) == 0) {
      pipeline();
    } else {
      stay(asks.next(false));
    }
  }

  // Clients that stay.

  private void stay(Ask ask) {
    if (ask.kind() == Kind.SLOW_READER || random.nextInt(4) == 0) {
      drop();
    }
    RawClient client = connection(ask.kind() == Kind.SLOW_READER ? RECEIVE_BUFFER : 0);
    if (exchange(client, ask, true)) {
      kept = client;
    } else {
      client.close();
    }
  }

  /** Several requests in one write, answered in their order (RFC 9112 9.3.2). */
  private void pipeline() {
    List<Ask> pages = new ArrayList<>();
    var bytes = new ByteArrayOutputStream();
    for (int i = 2 + random.nextInt(PIPELINE_MAX - 1); i > 0; i--) {
      Ask page = asks.page();
      pages.add(page);
      bytes.writeBytes(page.request());
    }
    try (RawClient client = connection(0)) {
      client.send(bytes.toByteArray());
      for (Ask page : pages) {
        if (!exchange(client, page, false)) {
          return;
        }
      }
    }
  }

  /** Whether the connection can be used on. */
  private boolean exchange(RawClient client, Ask ask, boolean sends) {
    try {
      if (sends) {
        client.send(ask.request());
      }
      RawResponse response = ask.stepBytes() > 0 ? null : client.readAll();
      if (response == null) {
        return readSlowly(client, ask);
      }
      ledger.answered(ask, ask.judge(response), seen(response.head(), response.body().length));
      return !response.head().contains("Connection: close");
    } catch (PeerClosed | UncheckedIOException broken) {
      ledger.answered(ask, ask.judgeBroken(), broken.toString());
    } catch (AssertionError late) {
      ledger.answered(ask, Answer.WRONG, late.toString());
    }
    return false;
  }

  private boolean readSlowly(RawClient client, Ask ask) {
    String head = client.readFinalHead();
    int status = Integer.parseInt(head.substring(9, 12));
    if (status != 200) {
      ledger.answered(ask, ask.judge(status, new byte[0]), seen(head, 0));
      return false;
    }
    byte[] body = new byte[ask.expected().length];
    for (int at = 0; at < body.length; ) {
      int step = Math.min(ask.stepBytes(), body.length - at);
      System.arraycopy(client.readBody(step), 0, body, at, step);
      at += step;
      pause(random.nextInt(15));
    }
    ledger.answered(ask, ask.judge(status, body), seen(head, body.length));
    return false;
  }

  // Clients that leave.

  /** At any point: inside the head or the body, while it waits, inside the answer. */
  private void leave(Ask ask, Departure how) {
    drop();
    byte[] request = ask.request();
    boolean whole = random.nextInt(4) != 0;
    int sent = whole ? request.length : 1 + random.nextInt(request.length);
    try (RawClient client = connection(ask.stepBytes() > 0 ? RECEIVE_BUFFER : 0)) {
      client.send(Arrays.copyOf(request, sent));
      if (whole && random.nextInt(3) == 0 && !ask.kind().isUpload()) {
        readSome(client, ask);
      } else {
        pause(random.nextInt(STAY_MILLIS));
      }
      depart(client, ask, how);
    } catch (PeerClosed | UncheckedIOException goneBefore) {
      // Turned away, or broken by the origin, before the client came to leave: as good as left.
      ledger.left(ask, how);
    } catch (AssertionError late) {
      ledger.answered(ask, Answer.WRONG, late.toString());
    }
  }

  private void readSome(RawClient client, Ask ask) {
    String head = client.readFinalHead();
    if (head.startsWith("HTTP/1.1 200") && ask.kind() != Kind.EVENTS) {
      client.readBody(random.nextInt(ask.expected().length));
    }
  }

  private void depart(RawClient client, Ask ask, Departure how) {
    switch (how) {
      case RST -> client.reset();
      case FIN -> client.close();
      case HALF_CLOSE -> {
        client.halfClose();
        if (isEndless(ask)) {
          pause(random.nextInt(STAY_MILLIS));
        } else {
          client.awaitEnd();
        }
      }
      case STAY -> throw new IllegalStateException("a client that stays does not depart");
    }
    ledger.left(ask, how);
  }

  private static boolean isEndless(Ask ask) {
    return ask.kind() == Kind.EVENTS && !ask.line().contains("chunks=");
  }

  private RawClient connection(int receiveBuffer) {
    RawClient client = kept;
    kept = null;
    return client == null || receiveBuffer > 0
        ? RawClient.connect(port, PATIENCE, receiveBuffer)
        : client;
  }

  private void drop() {
    if (kept != null) {
      kept.close();
      kept = null;
    }
  }

  /** A client's own pace; nothing is waited for. */
  private static void pause(int millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static String seen(String head, int bytes) {
    return head.substring(0, head.indexOf("\r\n")) + ", " + bytes + " bytes";
  }
}

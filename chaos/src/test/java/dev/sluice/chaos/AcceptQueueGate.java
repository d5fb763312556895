package dev.sluice.chaos;

import static dev.sluice.reports.Bound.atLeast;
import static dev.sluice.reports.Bound.atMost;
import static dev.sluice.reports.Bound.between;
import static dev.sluice.reports.Bound.equalTo;
import static dev.sluice.reports.Bound.exactly;

import dev.sluice.fixture.crowd.CrowdResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An origin that listens and does not accept, with a queue that is full. */
class AcceptQueueGate {

  private static final int CROWD = 8;
  private static final long CONNECT_MILLIS = 500;
  private static final int FILLERS_MAX = 50;
  private static final int FILL_MILLIS = 300;

  @Test
  void fullAcceptQueue_costsTheConnectTimeoutAndNoMore() {
    ChaosStack.claim(
            "accept-queue",
            "An origin that accepts nobody costs its clients the connect timeout and no more.")
        .given("crowd", CROWD)
        .given("origin_connect_millis", CONNECT_MILLIS)
        .judge(
            gate -> {
              try (var stack = OriginAlone.open(CONNECT_MILLIS, 3_000)) {
                stack.stored();
                stack.stopOrigin();
                try (var full = new FullQueue(stack.originPort())) {
                  gate.control("connects_before_it_was_full", full.connected(), atLeast(1));
                  gate.control("next_connect_hangs", full.hangs(), equalTo(true));

                  CrowdResult seen = stack.crowd(CROWD, "/down?bytes=1000");
                  gate.measured(
                      "answered_504", Sight.count(seen, Sight.GATEWAY_TIMEOUT), exactly(CROWD));
                  gate.measured(
                      "slowest_504_millis", seen.wall().toMillis(), between(CONNECT_MILLIS, 1_500));
                  gate.measured("stored_page", stack.storedSight(), equalTo(Sight.WHOLE));
                  gate.measured("permits_while_full", stack.awaitNoPermit(), exactly(0));
                }
                stack.startOriginAgain();
                gate.measured("recovery_millis", stack.recoveryMillis(), atMost(2_000));
                stack.judgeAftermath(gate);
              }
            });
  }

  /** A listening socket that accepts nobody, and connections that fill its queue. */
  private static final class FullQueue implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket();
    private final List<Socket> fillers = new ArrayList<>();

    FullQueue(int port) throws IOException {
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
      // One connect may take its time for another reason; two in a row do not.
      int hanging = 0;
      while (hanging < 2 && fillers.size() < FILLERS_MAX) {
        hanging = hangs() ? hanging + 1 : 0;
      }
    }

    int connected() {
      return fillers.size();
    }

    /** Whether one more connection is not made within a while; one that is made stays. */
    boolean hangs() throws IOException {
      try {
        fillers.add(connect());
        return false;
      } catch (SocketTimeoutException hanging) {
        return true;
      }
    }

    private Socket connect() throws IOException {
      Socket socket = new Socket();
      try {
        socket.connect(listener.getLocalSocketAddress(), FILL_MILLIS);
        return socket;
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      for (Socket filler : fillers) {
        filler.close();
      }
      listener.close();
    }
  }
}

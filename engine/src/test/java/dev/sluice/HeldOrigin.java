package dev.sluice;

import dev.sluice.fixture.Deadline;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An origin that answers each request as the test says of its head, when the test lets it.
 * Thread-safe: what is counted is guarded by this object's lock; each connection has a thread.
 */
final class HeldOrigin implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int ACCEPT_QUEUE = 1_000;

  /** One request. */
  record Asked(int number, String head) {

    /** The target of the request line. */
    String target() {
      return head.split(" ", 3)[1];
    }

    String method() {
      return head.split(" ", 2)[0];
    }

    /** The first value of this field; empty without one. */
    String field(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()).trim())
          .findFirst()
          .orElse("");
    }
  }

  /** Says what is answered: all of its bytes. One that does not end with its length is cut. */
  interface Answers {
    String to(Asked asked);
  }

  private final ServerSocket listener;
  private final Answers answers;
  private final List<Socket> sockets = new ArrayList<>();
  private final List<Asked> asked = new ArrayList<>();
  private int released = Integer.MAX_VALUE;
  private boolean closed;
  private int inside;
  private int peak;

  private HeldOrigin(ServerSocket listener, Answers answers) {
    this.listener = listener;
    this.answers = answers;
  }

  /** Listens before it returns; nothing is held yet. */
  static HeldOrigin start(Answers answers) {
    try {
      var listener = new ServerSocket(0, ACCEPT_QUEUE, InetAddress.getLoopbackAddress());
      var origin = new HeldOrigin(listener, answers);
      startThread("held-accept", origin::accept);
      return origin;
    } catch (IOException e) {
      throw new UncheckedIOException("the origin did not listen", e);
    }
  }

  /** A 200 with these field lines, separated by {@code |}, and this body. */
  static String ok(String fields, String body) {
    return answer("200 OK", fields, body);
  }

  /** The same with a status line of its own. */
  static String answer(String status, String fields, String body) {
    var head = new StringBuilder("HTTP/1.1 " + status + "\r\n");
    for (String field : fields.split("\\|", -1)) {
      if (!field.isBlank()) {
        head.append(field.strip()).append("\r\n");
      }
    }
    if (!status.startsWith("304") && !status.startsWith("204")) {
      head.append("Content-Length: ").append(body.length()).append("\r\n");
    }
    return head + "\r\n" + body;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From now on requests wait for {@link #release()}. */
  synchronized HeldOrigin hold() {
    released = asked.size();
    return this;
  }

  /** Everybody goes on, whoever is to come too. */
  synchronized void release() {
    released = Integer.MAX_VALUE;
    notifyAll();
  }

  /** One more goes on, in order of arrival. */
  synchronized void releaseOne() {
    released++;
    notifyAll();
  }

  synchronized int requests() {
    return asked.size();
  }

  /** The n-th request, from 0 on, as soon as there is one. */
  synchronized Asked request(int number) {
    Deadline deadline = Deadline.in(PATIENCE);
    while (asked.size() <= number) {
      deadline.check("request number " + number + ", there were " + asked.size());
      pause(deadline.millisLeft());
    }
    return asked.get(number);
  }

  /** Returns once it was asked so many times. */
  void awaitRequests(int count) {
    request(count - 1);
  }

  /** All that was asked so far. */
  synchronized List<Asked> all() {
    return List.copyOf(asked);
  }

  /** How many were being answered at once, at most. */
  synchronized int peak() {
    return peak;
  }

  @Override
  public void close() {
    release();
    List<Socket> open = closing();
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized List<Socket> closing() {
    closed = true;
    return List.copyOf(sockets);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        if (!take(socket)) {
          // It came to the listener while that was being closed.
          socket.close();
          return;
        }
        startThread("held-connection", () -> serve(socket));
      }
    } catch (IOException closed) {
      // close() ended it.
      return;
    }
  }

  private synchronized boolean take(Socket socket) {
    if (!closed) {
      sockets.add(socket);
    }
    return !closed;
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (String head = readHead(in); head != null; head = readHead(in)) {
        Asked request = enter(head);
        String answer;
        try {
          in.skipNBytes(length(request));
          awaitTurn(request);
          answer = answers.to(request);
        } finally {
          // Before the answer's last byte: behind that the next request may come.
          leave();
        }
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        if (!isWhole(answer, request)) {
          return;
        }
      }
    } catch (IOException left) {
      // The proxy left; what it asked for stays on record.
    }
  }

  private static long length(Asked request) {
    String length = request.field("Content-Length");
    return length.isEmpty() ? 0 : Long.parseLong(length);
  }

  /** Whether the connection can go on behind it. */
  private static boolean isWhole(String answer, Asked request) {
    int end = answer.indexOf("\r\n\r\n") + 4;
    if (end < 4) {
      return false;
    }
    String length = new Asked(0, answer.substring(0, end)).field("Content-Length");
    boolean chunkedWhole = answer.endsWith("0\r\n\r\n");
    boolean bodiless = request.method().equals("HEAD") || answer.length() == end;
    return chunkedWhole
        || bodiless
        || (!length.isEmpty() && answer.length() == end + Integer.parseInt(length));
  }

  private synchronized Asked enter(String head) {
    var request = new Asked(asked.size(), head);
    asked.add(request);
    peak = Math.max(peak, ++inside);
    notifyAll();
    return request;
  }

  private synchronized void leave() {
    inside--;
  }

  private synchronized void awaitTurn(Asked request) {
    while (request.number() >= released) {
      pause(0);
    }
  }

  // Both callers ask again in a loop.
  @SuppressWarnings("WaitNotInLoop")
  private void pause(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a request", e);
    }
  }

  private static @Nullable String readHead(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void startThread(String name, Runnable task) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }
}

package dev.sluice.net.tls;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/** A client's engine and a server's that shake hands in memory. Confined to the test's thread. */
final class EnginePair {

  private static final int ROOM = 128 * 1024;
  private static final int STEPS = 1_000;

  private final Side client;
  private final Side server;

  private EnginePair(SSLEngine client, SSLEngine server) {
    this.client = new Side(client);
    this.server = new Side(server);
  }

  /** One engine, and what is on its way to it. */
  private static final class Side {
    private final SSLEngine engine;
    private final ByteBuffer inbox = ByteBuffer.allocate(ROOM);
    private final ByteBuffer read = ByteBuffer.allocate(ROOM);

    Side(SSLEngine engine) {
      this.engine = engine;
    }

    boolean isBusy() {
      return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING || inbox.position() > 0;
    }

    /** Does the next thing, towards {@code other} or with what came. */
    void step(Side other) throws SSLException {
      if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
          task.run();
          task = engine.getDelegatedTask();
        }
      } else if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        engine.wrap(ByteBuffer.allocate(0), other.inbox);
      } else if (isBusy()) {
        // With nothing in the inbox, too: an engine may hold records that it has not looked at.
        inbox.flip();
        engine.unwrap(inbox, read);
        inbox.compact();
      }
    }

    /** A byte of data takes along what waits behind the handshake: a ticket. */
    void say(Side other) throws SSLException {
      engine.wrap(ByteBuffer.wrap(new byte[] {1}), other.inbox);
    }
  }

  /** Shakes hands; returns the client's session once it has what the server sends behind that. */
  static SSLSession shake(ServerTls tls, SSLContext context) {
    SSLEngine client = context.createSSLEngine("localhost", 443);
    client.setUseClientMode(true);
    SslHandler handler = tls.newHandler(UnpooledByteBufAllocator.DEFAULT);
    try {
      client.beginHandshake();
      new EnginePair(client, handler.engine()).shake();
      return client.getSession();
    } catch (SSLException e) {
      throw new AssertionError(e);
    } finally {
      ReferenceCountUtil.release(handler.engine());
    }
  }

  private void shake() throws SSLException {
    settle();
    server.say(client);
    settle();
  }

  private void settle() throws SSLException {
    for (int i = 0; client.isBusy() || server.isBusy(); i++) {
      if (i > STEPS) {
        throw new AssertionError("the engines do not come to an end");
      }
      client.step(server);
      server.step(client);
    }
  }
}

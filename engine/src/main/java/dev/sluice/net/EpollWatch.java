package dev.sluice.net;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Netty's epoll, but a socket of which nothing is awaited at the moment stays registered. Since
 * 4.2.13 Netty takes such a socket out of the epoll set and then tries to change what is no longer
 * there: a peer that had said its last (FIN) and did not read as fast as we wrote lost the rest of
 * its answer. Registered for edges alone (EPOLLET), a socket wakes its loop once when it breaks and
 * never again, which is why Netty took it out. Each is confined to its event loop.
 */
final class EpollWatch implements IoHandler {

  private final IoHandler epoll;

  private EpollWatch(IoHandler epoll) {
    this.epoll = epoll;
  }

  static IoHandlerFactory newFactory() {
    IoHandlerFactory netty = EpollIoHandler.newFactory();
    return new IoHandlerFactory() {
      @Override
      public IoHandler newHandler(ThreadAwareExecutor executor) {
        return new EpollWatch(netty.newHandler(executor));
      }

      @Override
      public boolean isChangingThreadSupported() {
        return netty.isChangingThreadSupported();
      }
    };
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return new Watched(epoll.register(handle));
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return epoll.run(context);
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
  }

  @Override
  public void wakeup() {
    epoll.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> type) {
    return epoll.isCompatible(type);
  }

  private record Watched(IoRegistration socket) implements IoRegistration {

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature.
    public <T> T attachment() {
      return socket.attachment();
    }

    @Override
    public long submit(IoOps awaited) {
      return socket.submit(EpollIoOps.NONE.equals(awaited) ? EpollIoOps.EPOLLET : awaited);
    }

    @Override
    public boolean isValid() {
      return socket.isValid();
    }

    @Override
    public boolean cancel() {
      return socket.cancel();
    }
  }
}

package dev.sluice.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** Which kind of sockets Netty makes, and the options that differ between them. */
public enum Transport {
  /** Linux's, native. */
  EPOLL("epoll"),
  /** The JDK's, everywhere. */
  NIO("nio");

  /** What a client's socket holds unsent at most before it stops being writable (DEC-37). */
  private static final int NOTSENT_LOWAT = 128 * 1024;

  private static final int NIO_SEND_BUFFER = 256 * 1024;

  private final String code;

  Transport(String code) {
    this.code = code;
  }

  /**
   * The one that {@code choice} means on this machine; EPOLL asked for where it does not load
   * throws.
   */
  public static Transport of(NetSettings.TransportChoice choice) {
    return switch (choice) {
      case NIO -> NIO;
      case AUTO -> Epoll.isAvailable() ? EPOLL : NIO;
      case EPOLL -> {
        Epoll.ensureAvailability();
        yield EPOLL;
      }
    };
  }

  /** The word for {@code /status}. */
  public String code() {
    return code;
  }

  /** Whether several listeners of this process can share one port. */
  public boolean sharesPorts() {
    return this == EPOLL;
  }

  IoHandlerFactory ioHandler() {
    return this == EPOLL ? EpollWatch.newFactory() : NioIoHandler.newFactory();
  }

  ServerChannel newServer() {
    return this == EPOLL ? new EpollServerSocketChannel() : new NioServerSocketChannel();
  }

  Channel newClient() {
    return this == EPOLL ? new EpollSocketChannel() : new NioSocketChannel();
  }

  void boundUnsentBytes(Channel accepted) {
    if (this == EPOLL) {
      accepted.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, (long) NOTSENT_LOWAT);
    } else {
      accepted.config().setOption(ChannelOption.SO_SNDBUF, NIO_SEND_BUFFER);
    }
  }
}

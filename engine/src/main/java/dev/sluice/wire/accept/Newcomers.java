package dev.sluice.wire.accept;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The connections of one loop that have not said yet what they are: a handshake or a PROXY header
 * is under way. Confined to the loop.
 */
final class Newcomers {

  private final Set<Channel> channels = Collections.newSetFromMap(new IdentityHashMap<>());

  void add(Channel channel) {
    channels.add(channel);
  }

  void remove(Channel channel) {
    channels.remove(channel);
  }

  /** The process stops: nobody of them has asked anything. */
  void closeAll() {
    new ArrayList<>(channels).forEach(Channel::close);
  }
}

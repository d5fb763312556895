package dev.sluice.wire;

import dev.sluice.wire.http1.Heads;

/**
 * For whom a request is, as concluded from the socket and from what trusted proxies say. Immutable.
 *
 * @param address the IP address, as logged and sent in X-Forwarded-For
 * @param scheme http or https, nothing else
 * @param fields the field lines that tell the origin, in wire form; not to be changed
 * @param trusted whether whoever sent it may say more about where it came from
 */
public record Peer(String address, String scheme, byte[] fields, boolean trusted) {

  static Peer of(String address, String scheme, boolean trusted) {
    // PRX-30: exactly one value, whatever came.
    String lines = "X-Forwarded-For: " + address + "\r\nX-Forwarded-Proto: " + scheme + "\r\n";
    return new Peer(address, scheme, Heads.ascii(lines), trusted);
  }
}

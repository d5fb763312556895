package dev.sluice.wire;

/**
 * Who a client connection belongs to, as concluded from the socket. Immutable.
 *
 * @param address the IP address, as logged and sent in X-Forwarded-For
 * @param scheme http or https, nothing else
 * @param fields the field lines that tell the origin, in wire form; not to be changed
 */
public record Peer(String address, String scheme, byte[] fields) {}

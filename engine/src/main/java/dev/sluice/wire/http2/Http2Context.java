package dev.sluice.wire.http2;

import dev.sluice.wire.client.ClientContext;

/**
 * What the HTTP/2 connections of one loop share.
 *
 * @param client with those of HTTP/1.1
 * @param census with those of all loops
 */
public record Http2Context(ClientContext client, Http2Census census) {}

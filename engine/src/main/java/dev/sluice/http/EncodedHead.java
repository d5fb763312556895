package dev.sluice.http;

/**
 * The head of a stored answer as wire made it for HTTP/1.1, up to but without Age, the connection's
 * own fields and the empty line. Immutable; the bytes are not to be changed.
 */
public record EncodedHead(byte[] bytes) {}

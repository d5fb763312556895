package dev.sluice.http;

/**
 * The head of a stored answer as wire made it for HTTP/1.1, with its Date and Content-Length.
 * Immutable; the bytes are not to be changed.
 *
 * @param length how many of {@code bytes} are written as they are; Age, the connection's own fields
 *     and the empty line follow
 * @param plain the same head to read in; a view over the same bytes
 */
public record EncodedHead(byte[] bytes, int length, ResponseHead plain) {}

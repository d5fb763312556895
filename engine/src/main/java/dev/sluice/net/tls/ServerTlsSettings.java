package dev.sluice.net.tls;

import java.nio.file.Path;

/**
 * {@code server.tls} but for its address (PRX-06 to PRX-08, DEC-21). Immutable; a reload may change
 * all of it.
 *
 * @param cert PEM file of the chain, the server's own certificate first
 * @param key PEM file of its private key
 * @param h2 whether HTTP/2 is offered by ALPN
 * @param sessionTickets whether sessions are resumed by tickets
 */
public record ServerTlsSettings(Path cert, Path key, boolean h2, boolean sessionTickets) {}

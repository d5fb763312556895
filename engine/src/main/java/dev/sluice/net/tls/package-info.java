/**
 * TLS for both sides: certificates and keys out of files, contexts that a reload replaces, the
 * handshake's end. Start at {@code ServerTls} and {@code ClientTls}. It knows nothing of HTTP but
 * the names of its protocols.
 */
@NullMarked
package dev.sluice.net.tls;

import org.jspecify.annotations.NullMarked;

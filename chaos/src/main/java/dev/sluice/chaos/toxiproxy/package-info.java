/**
 * A TCP proxy that spoils connections on purpose, steered through Toxiproxy's HTTP API, for where
 * no such server is at hand. Start at {@link dev.sluice.chaos.toxiproxy.EmbeddedToxiproxy}. It
 * knows nothing of HTTP on the connections that it spoils, nor of Sluice.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.chaos.toxiproxy;

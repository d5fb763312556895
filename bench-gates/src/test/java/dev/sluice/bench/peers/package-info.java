/** Sluice beside NGINX, Varnish and HAProxy on the same work: CPU time for each request. */
@NullMarked
package dev.sluice.bench.peers;

import org.jspecify.annotations.NullMarked;

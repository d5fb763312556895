/** What both faces need from sockets: event loops, listeners, timers. */
@NullMarked
package dev.sluice.net;

import org.jspecify.annotations.NullMarked;

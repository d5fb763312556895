/** Gives the client its one answer, the origin's or one of our own. */
@NullMarked
package dev.sluice.governor.deliver;

import org.jspecify.annotations.NullMarked;

/**
 * The one local application that Sluice may start itself and keep running (ORG-32, DEC-20). Start
 * with {@link dev.sluice.application.Application}. Knows nothing of HTTP.
 */
@NullMarked
package dev.sluice.application;

import org.jspecify.annotations.NullMarked;

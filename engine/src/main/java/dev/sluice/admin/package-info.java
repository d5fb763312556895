/** The operator's door: health, status and metrics on a listener and a loop of their own. */
@NullMarked
package dev.sluice.admin;

import org.jspecify.annotations.NullMarked;

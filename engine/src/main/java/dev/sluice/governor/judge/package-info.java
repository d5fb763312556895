/**
 * What did the origin's answer, or its silence, mean? Start with {@link
 * dev.sluice.governor.judge.Judge}. Pure.
 */
@NullMarked
package dev.sluice.governor.judge;

import org.jspecify.annotations.NullMarked;

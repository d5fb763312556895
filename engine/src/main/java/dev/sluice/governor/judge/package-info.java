/**
 * What did the origin's answer, or its silence, mean? Start with {@link
 * dev.sluice.governor.judge.Judge}; who may have the answer is told by {@link
 * dev.sluice.governor.judge.Sharing}. Pure: it knows no clock, no store and no socket.
 */
@NullMarked
package dev.sluice.governor.judge;

import org.jspecify.annotations.NullMarked;

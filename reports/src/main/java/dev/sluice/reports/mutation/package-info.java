/**
 * How many changes to the code the tests notice, as a gate for each part of it. Start with {@code
 * MutationScores}. Knows of PIT the one file in which it writes every mutant.
 */
@NullMarked
package dev.sluice.reports.mutation;

import org.jspecify.annotations.NullMarked;

/**
 * All gates' reports on one page, as one file and in Markdown, and beside an earlier run. Start
 * with {@code Report}, the command line. Knows of a gate what its report says and nothing else.
 */
@NullMarked
package dev.sluice.reports.page;

import org.jspecify.annotations.NullMarked;

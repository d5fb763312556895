/** The command line. Start with {@link dev.sluice.cli.Cli}. */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;

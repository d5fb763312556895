/** Body bytes under back-pressure. Start with {@code Body}. */
@NullMarked
package dev.sluice.flow;

import org.jspecify.annotations.NullMarked;

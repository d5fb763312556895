/** Can an answer that exists, or is on its way, serve the request? */
@NullMarked
package dev.sluice.governor.reuse;

import org.jspecify.annotations.NullMarked;

/** An answer on its way: which flight may a request board? */
@NullMarked
package dev.sluice.governor.reuse.coalesce;

import org.jspecify.annotations.NullMarked;

/**
 * What must every store do in the same way, whether it counts with {@link dev.sluice.cell.Cell} or the Redis script?
 */
@NullMarked
package dev.sluice.internal.cell;

import org.jspecify.annotations.NullMarked;

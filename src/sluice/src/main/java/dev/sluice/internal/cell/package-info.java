/**
 * What must every store do in the same way, regardless of whether it counts with {@link dev.sluice.cell.Cell} or with
 * the Redis script?
 */
@NullMarked
package dev.sluice.internal.cell;

import org.jspecify.annotations.NullMarked;

/** What every store must do alike, whether it counts by {@link dev.sluice.cell.Cell} or by the script of Redis. */
@NullMarked
package dev.sluice.internal.cell;

import org.jspecify.annotations.NullMarked;

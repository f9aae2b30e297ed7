/**
 * What does a shared counter consist of, and how do statements change it? Each counting rule has its own class. These
 * classes use neither clocks nor locks. Use them to implement a {@link dev.sluice.exchange.CounterStore} that counts in
 * Java. {@link dev.sluice.cell.Cells} creates a {@link dev.sluice.cell.Cell}, and {@link dev.sluice.cell.CellText}
 * converts it to text. The in-memory and MongoDB stores of Sluice use this package.
 */
@NullMarked
package dev.sluice.cell;

import org.jspecify.annotations.NullMarked;

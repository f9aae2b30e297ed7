/**
 * What is one shared counter, and how does a statement change it? There is one class for each rule of counting. These
 * classes have no clock and no lock. Use them to write a {@link dev.sluice.exchange.CounterStore} that counts in Java:
 * {@link dev.sluice.cell.Cells} creates a {@link dev.sluice.cell.Cell}, and {@link dev.sluice.cell.CellText} writes it
 * as text. Our stores in memory and in MongoDB use it.
 */
@NullMarked
package dev.sluice.cell;

import org.jspecify.annotations.NullMarked;

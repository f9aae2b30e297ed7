/**
 * What is one shared counter, and how does a statement change it? Each counting rule has its own class. These classes
 * use no clock and no locks. Use them to implement a {@link dev.sluice.exchange.CounterStore} that counts in Java.
 * {@link dev.sluice.cell.Cells} creates a {@link dev.sluice.cell.Cell}, and {@link dev.sluice.cell.CellText} converts
 * it to text. Our in-memory and MongoDB stores use this package.
 */
@NullMarked
package dev.sluice.cell;

import org.jspecify.annotations.NullMarked;

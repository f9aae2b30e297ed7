/**
 * What is one counter that instances share, and what does a claim make of it? One class for each rule by which a store
 * counts, without a clock or a lock. The stores that count in Java keep counters as these: in memory as they are, in
 * MongoDB as documents. It may call {@code algorithm}.
 */
@NullMarked
package dev.sluice.store.cell;

import org.jspecify.annotations.NullMarked;

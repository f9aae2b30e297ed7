/**
 * What is one shared counter, and how does a statement change it? One class for each rule by which a store counts, without
 * a clock or a lock. Stores that count in Java use these: the one in memory as they are, the one in MongoDB as
 * documents. It may call {@code algorithm}.
 */
@NullMarked
package dev.sluice.store.cell;

import org.jspecify.annotations.NullMarked;

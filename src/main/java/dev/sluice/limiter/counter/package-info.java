/**
 * How many calls may one caller still make in one tier? The types that shared and local counters have in common: the
 * identity of counters ({@link dev.sluice.limiter.counter.CounterFamily}), what calls take from ({@link
 * dev.sluice.limiter.counter.Pool}), and how counters are shared ({@link dev.sluice.limiter.counter.Sharing}). All
 * folders of {@code limiter} use it; it may use {@code algorithm} only.
 */
@NullMarked
package dev.sluice.limiter.counter;

import org.jspecify.annotations.NullMarked;

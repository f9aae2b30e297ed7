/**
 * How many calls may one caller still make in one tier? The types that shared and local counters have in common: the
 * identity of counters ({@link dev.sluice.internal.limiter.counter.CounterFamily}), what calls take from ({@link
 * dev.sluice.internal.limiter.counter.Pool}), and how counters are shared ({@link dev.sluice.internal.limiter.counter.Sharing}). All
 * folders of {@code limiter} use it; it may use {@code algorithm} only.
 */
@NullMarked
package dev.sluice.internal.limiter.counter;

import org.jspecify.annotations.NullMarked;

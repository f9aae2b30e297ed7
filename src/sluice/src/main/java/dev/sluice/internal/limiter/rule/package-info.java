/**
 * How do instances share each algorithm? One file per algorithm: how the store counts, and what its answers mean.
 * Called by {@code shared}, {@code account} and {@code exchange}; it may call {@code counter} and {@code algorithm}.
 */
@NullMarked
package dev.sluice.internal.limiter.rule;

import org.jspecify.annotations.NullMarked;

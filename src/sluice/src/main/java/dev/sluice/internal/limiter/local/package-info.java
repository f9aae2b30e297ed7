/**
 * How does this process count alone? One class for each way of counting. Called by {@code limiter} itself if there is
 * no store, and by {@code exchange} for counters that are never shared; it may call {@code counter} and
 * {@code algorithm}.
 */
@NullMarked
package dev.sluice.internal.limiter.local;

import org.jspecify.annotations.NullMarked;

/**
 * What is a listener told? {@link dev.sluice.listener.RateLimitListener} hears of decisions, of the store and of reloads.
 * Whoever watches a limiter implements it; it uses the words only.
 */
@NullMarked
package dev.sluice.listener;

import org.jspecify.annotations.NullMarked;

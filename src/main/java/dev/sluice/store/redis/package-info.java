/**
 * How do instances count together in Redis? One script applies a batch ({@code exchange.lua}), one client serves counters,
 * limits of clients and news. This folder alone touches Lettuce. Called by {@code store}; it may call {@code algorithm}.
 */
@NullMarked
package dev.sluice.store.redis;

import org.jspecify.annotations.NullMarked;

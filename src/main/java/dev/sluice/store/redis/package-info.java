/**
 * How do instances count together in Redis? One script applies a batch ({@code exchange.lua}), one client serves counters,
 * limits of clients and news: {@code link}. {@code exchange} makes calls of the script, {@code operator} reads counters and
 * instances, {@code limits} keeps limits of clients. These folders alone touch Lettuce. Called by {@code store}.
 */
@NullMarked
package dev.sluice.store.redis;

import org.jspecify.annotations.NullMarked;

/**
 * How do instances count together in Redis? One script applies a batch: {@code exchange} has it and makes the calls. One
 * client serves counters, limits of clients and news: {@code link}. {@code operator} reads counters and instances, {@code
 * limits} keeps limits of clients. These folders alone touch Lettuce. Called by {@code store}.
 */
@NullMarked
package dev.sluice.store.redis;

import org.jspecify.annotations.NullMarked;

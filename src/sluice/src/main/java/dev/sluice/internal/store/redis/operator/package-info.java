/** How do operators read counters and instances in Redis? It may call {@code exchange} and {@code link}. */
@NullMarked
package dev.sluice.internal.store.redis.operator;

import org.jspecify.annotations.NullMarked;

/** What do operators ask of the counters and instances that stand in Redis? It may call {@code exchange} and {@code link}. */
@NullMarked
package dev.sluice.store.redis.operator;

import org.jspecify.annotations.NullMarked;

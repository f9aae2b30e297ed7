/** How do operators read counters and instances in Redis? It may call {@code exchange} and {@code link}. */
@NullMarked
package dev.sluice.internal.store.redis.admin;

import org.jspecify.annotations.NullMarked;

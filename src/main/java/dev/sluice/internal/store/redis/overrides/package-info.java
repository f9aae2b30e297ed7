/** How are exceptions for single callers kept in Redis: limits set outside the file, and blocks? It may call {@code link}. */
@NullMarked
package dev.sluice.internal.store.redis.overrides;

import org.jspecify.annotations.NullMarked;

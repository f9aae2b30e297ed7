/** How does Redis keep overrides and blocks? It may call {@code link}. */
@NullMarked
package dev.sluice.internal.store.redis.overrides;

import org.jspecify.annotations.NullMarked;

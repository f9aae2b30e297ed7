/** How are limits of clients kept in Redis that were set outside the file? It may call {@code link}. */
@NullMarked
package dev.sluice.store.redis.overrides;

import org.jspecify.annotations.NullMarked;

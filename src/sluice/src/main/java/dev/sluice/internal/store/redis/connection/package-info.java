/**
 * How do we reach Redis, and what does a failure mean? All packages of {@code redis} call this one; it calls none of
 * them.
 */
@NullMarked
package dev.sluice.internal.store.redis.connection;

import org.jspecify.annotations.NullMarked;

/** How does Sluice connect to Redis, and what do failures mean? */
@NullMarked
package dev.sluice.internal.store.redis.connection;

import org.jspecify.annotations.NullMarked;

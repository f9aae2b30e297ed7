/** How does Sluice connect to Redis, and what does a failure mean? */
@NullMarked
package dev.sluice.internal.store.redis.connection;

import org.jspecify.annotations.NullMarked;

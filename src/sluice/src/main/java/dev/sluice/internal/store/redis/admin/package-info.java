/** How do operators read counters and instances in Redis, and how are overrides and blocks stored there? */
@NullMarked
package dev.sluice.internal.store.redis.admin;

import org.jspecify.annotations.NullMarked;

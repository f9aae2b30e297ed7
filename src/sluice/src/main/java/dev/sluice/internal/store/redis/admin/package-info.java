/** How do operators read counters and instances in Redis, and how does Redis store their overrides and blocks? */
@NullMarked
package dev.sluice.internal.store.redis.admin;

import org.jspecify.annotations.NullMarked;

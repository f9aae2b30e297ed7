/**
 * How does Sluice read counters and instances in Redis for operators, and how does it store overrides and blocks there?
 */
@NullMarked
package dev.sluice.internal.store.redis.admin;

import org.jspecify.annotations.NullMarked;

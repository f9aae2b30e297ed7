/**
 * Which callers are blocked, because they kept calling after refusals? Only {@code counter} and the packages above it
 * may call this.
 */
@NullMarked
package dev.sluice.internal.limiter.block;

import org.jspecify.annotations.NullMarked;

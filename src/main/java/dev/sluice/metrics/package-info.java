/**
 * What do the instruments show? Listens to a limiter and keeps meters of what it decides. Called by whoever starts a
 * limiter; calls the root's words only. The one room that knows Micrometer, which is an optional dependency.
 */
@NullMarked
package dev.sluice.metrics;

import org.jspecify.annotations.NullMarked;

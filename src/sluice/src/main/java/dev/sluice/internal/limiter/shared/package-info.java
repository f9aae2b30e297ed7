/**
 * What do calls see of a shared counter? They see the permits in hand ({@link
 * dev.sluice.internal.limiter.shared.SharedPool}), the state of the fleet ({@link
 * dev.sluice.internal.limiter.shared.SharedSnapshot}), and the waiting calls. The background thread adds and removes
 * permits, and publishes snapshots.
 */
@NullMarked
package dev.sluice.internal.limiter.shared;

import org.jspecify.annotations.NullMarked;

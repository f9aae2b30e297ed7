/**
 * What do calls see of a counter that instances share? The permits in hand, what is known of the fleet ({@link
 * dev.sluice.limiter.shared.SharedSnapshot}), and the calls that wait. The background pours, drains and publishes. Called by
 * {@code account} and {@code exchange}; it may call {@code rule}, {@code counter} and {@code algorithm}.
 */
@NullMarked
package dev.sluice.limiter.shared;

import org.jspecify.annotations.NullMarked;

/**
 * When do limits change while the limiter runs? The file is read again when its content changes ({@link
 * dev.sluice.internal.config.follow.ConfigWatcher}), a source is asked for overrides ({@link
 * dev.sluice.internal.config.follow.OverrideRefresher}), and both are put in force together ({@link
 * dev.sluice.internal.config.follow.LimitsInForce}). Called by {@code config}; may call {@code poll}, {@code file} and the folders
 * below it.
 */
@NullMarked
package dev.sluice.internal.config.follow;

import org.jspecify.annotations.NullMarked;

/**
 * When do limits change while the limiter is running? One thread reloads the file when its content changes
 * ({@link dev.sluice.internal.instance.reload.ConfigWatcher}). Another thread polls a source for overrides
 * ({@link dev.sluice.internal.instance.reload.OverrideRefresher}). The limits in force combine both
 * ({@link dev.sluice.internal.instance.reload.LimitsInForce}).
 */
@NullMarked
package dev.sluice.internal.instance.reload;

import org.jspecify.annotations.NullMarked;

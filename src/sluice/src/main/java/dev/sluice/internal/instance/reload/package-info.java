/**
 * When do limits change while the limiter runs? One thread reads the file again when its content changes
 * ({@link dev.sluice.internal.instance.reload.ConfigWatcher}), another asks a source for overrides
 * ({@link dev.sluice.internal.instance.reload.OverrideRefresher}), and both come into force together
 * ({@link dev.sluice.internal.instance.reload.LimitsInForce}).
 */
@NullMarked
package dev.sluice.internal.instance.reload;

import org.jspecify.annotations.NullMarked;

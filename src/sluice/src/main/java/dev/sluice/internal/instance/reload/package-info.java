/**
 * When do limits change while the limiter runs? One thread reloads the file when its content changes ({@link
 * dev.sluice.internal.instance.reload.ConfigWatcher}). Another polls a source for overrides ({@link
 * dev.sluice.internal.instance.reload.OverrideRefresher}). The limits in force combine both ({@link
 * dev.sluice.internal.instance.reload.LimitsInForce}).
 */
@NullMarked
package dev.sluice.internal.instance.reload;

import org.jspecify.annotations.NullMarked;

/**
 * How does a running limiter report its state to operators? It reports to the application
 * ({@link dev.sluice.internal.instance.status.StatusKeeper}), to the log
 * ({@link dev.sluice.internal.instance.status.RefusalLog}), and to the store
 * ({@link dev.sluice.internal.instance.status.InstanceHeartbeat}).
 */
@NullMarked
package dev.sluice.internal.instance.status;

import org.jspecify.annotations.NullMarked;

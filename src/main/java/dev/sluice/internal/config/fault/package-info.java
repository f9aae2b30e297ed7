/**
 * What becomes of a fault while calls are served? The application's own code is wrapped, so that its faults go no
 * further ({@link dev.sluice.internal.config.fault.GuardedExtensions}), and each kind is logged once ({@link
 * dev.sluice.internal.config.fault.FaultLog}). Called by {@code config} and the servlet filter; may call {@code yaml}.
 */
@NullMarked
package dev.sluice.internal.config.fault;

import org.jspecify.annotations.NullMarked;

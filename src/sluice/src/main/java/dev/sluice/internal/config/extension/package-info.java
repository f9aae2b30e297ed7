/**
 * What happens if the application's code fails at run time? That code is wrapped, so its faults do not affect calls
 * ({@link dev.sluice.internal.config.extension.GuardedExtensions}). Each kind of fault is logged once
 * ({@link dev.sluice.internal.config.extension.FaultLog}).
 */
@NullMarked
package dev.sluice.internal.config.extension;

import org.jspecify.annotations.NullMarked;

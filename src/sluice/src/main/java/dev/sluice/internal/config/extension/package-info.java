/**
 * What happens when something fails while calls are served? The application's code is wrapped, so that its faults do
 * not reach calls ({@link dev.sluice.internal.config.extension.GuardedExtensions}), and each kind of fault is logged
 * once ({@link dev.sluice.internal.config.extension.FaultLog}).
 */
@NullMarked
package dev.sluice.internal.config.extension;

import org.jspecify.annotations.NullMarked;

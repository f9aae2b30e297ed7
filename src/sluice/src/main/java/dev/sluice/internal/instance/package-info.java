/**
 * What runs while a limiter is open? {@link dev.sluice.internal.instance.MethodCalls} decides whether method calls
 * pass. The {@code reload} package watches the file for changes, and {@code status} reports the state to operators and
 * to the store. The {@code report} package defines the format of the reports that instances write.
 */
@NullMarked
package dev.sluice.internal.instance;

import org.jspecify.annotations.NullMarked;

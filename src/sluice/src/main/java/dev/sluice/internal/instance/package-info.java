/**
 * What runs while a limiter is open? {@link dev.sluice.internal.instance.MethodCalls} makes decisions for method calls.
 * {@code reload} watches the file for changes, and {@code status} reports the state to operators and to the store.
 * {@code report} contains the format in which instances write their reports.
 */
@NullMarked
package dev.sluice.internal.instance;

import org.jspecify.annotations.NullMarked;

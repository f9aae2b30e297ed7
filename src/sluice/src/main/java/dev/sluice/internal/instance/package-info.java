/**
 * What runs while a limiter is open? {@link dev.sluice.internal.instance.MethodCalls} decides the calls of methods.
 * {@code reload} watches the file for changes, {@code status} reports the state to operators and to the store, and
 * {@code report} has the texts that instances write for each other.
 */
@NullMarked
package dev.sluice.internal.instance;

import org.jspecify.annotations.NullMarked;

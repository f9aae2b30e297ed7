/**
 * Which limits are in force, and where do they come from? {@link dev.sluice.limits.Limits} has all limits of a file,
 * {@link dev.sluice.limits.Client} and {@link dev.sluice.limits.Plan} those of single callers. Applications implement
 * {@link dev.sluice.limits.ConfigSource}, {@link dev.sluice.limits.ClientSource} or {@link
 * dev.sluice.limits.ClientOverrideSource} to keep limits, clients or overrides elsewhere. This package has only
 * immutable values and interfaces, and uses only {@code dev.sluice} and {@code tier}.
 */
@NullMarked
package dev.sluice.limits;

import org.jspecify.annotations.NullMarked;

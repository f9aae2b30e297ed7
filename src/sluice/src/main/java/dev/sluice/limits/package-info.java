/**
 * Which limits are in force, and where do they come from? {@link dev.sluice.limits.Limits} contains all limits of a
 * file, and {@link dev.sluice.limits.Client} and {@link dev.sluice.limits.Plan} contain the limits of particular
 * callers. Applications implement {@link dev.sluice.limits.ConfigSource}, {@link dev.sluice.limits.ClientSource} or
 * {@link dev.sluice.limits.ClientOverrideSource} to load limits, clients or overrides from elsewhere. This package
 * contains only immutable values and interfaces. It depends only on {@code dev.sluice} and {@code tier}.
 */
@NullMarked
package dev.sluice.limits;

import org.jspecify.annotations.NullMarked;

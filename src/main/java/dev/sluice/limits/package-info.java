/**
 * Which limits are in force, and where do they come from? All limits of a file ({@link dev.sluice.limits.Limits}),
 * clients with overrides ({@link dev.sluice.limits.Client}), plans ({@link dev.sluice.limits.Plans}), and what an
 * application implements to keep limits, clients or overrides elsewhere ({@link dev.sluice.limits.ConfigSource}, {@link
 * dev.sluice.limits.ClientSource}, {@link dev.sluice.limits.ClientOverrideSource}). Values and contracts only; it uses {@code dev.sluice} and {@code tier}.
 */
@NullMarked
package dev.sluice.limits;

import org.jspecify.annotations.NullMarked;

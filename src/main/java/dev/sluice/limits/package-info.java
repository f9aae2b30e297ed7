/**
 * Which limits are in force, and who may give them? All that one file says to the limiter ({@link
 * dev.sluice.limits.Limits}), the clients for whom it is different ({@link dev.sluice.limits.Client}), and what an
 * application implements to keep limits elsewhere ({@link dev.sluice.limits.ConfigSource}, {@link
 * dev.sluice.limits.ClientOverrideSource}). Values and contracts only; it uses {@code dev.sluice} and {@code tier}.
 */
@NullMarked
package dev.sluice.limits;

import org.jspecify.annotations.NullMarked;

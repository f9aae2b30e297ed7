/**
 * What is in force on a store? The files of instances, the limits for one caller, and how much of them is used. Called
 * by {@code limits}, {@code explain} and {@code top}; may use {@code command}, {@code text}, the limiter's rules and
 * {@code config}.
 */
@NullMarked
package dev.sluice.cli.fleet;

import org.jspecify.annotations.NullMarked;

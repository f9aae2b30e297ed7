/**
 * Which clients have their own limits in the store? {@code sluice limits} sets, shows and removes such overrides.
 * Called by {@code cli}; may use {@code check}, {@code fleet}, {@code command}, {@code text} and {@code config}.
 */
@NullMarked
package dev.sluice.cli.limits;

import org.jspecify.annotations.NullMarked;

/**
 * Who is nearest a limit, and who is refused? {@code sluice top} reads all counters of a store, in steps that delay
 * nobody. Called by {@code cli}; may use {@code fleet}, {@code command}, {@code text} and {@code config}.
 */
@NullMarked
package dev.sluice.cli.top;

import org.jspecify.annotations.NullMarked;

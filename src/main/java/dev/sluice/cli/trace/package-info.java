/**
 * What does the fleet do for one caller? {@code sluice trace} asks the instances of a store to write that there for a
 * while, and prints it. Called by {@code cli}; may use {@code fleet}, {@code command} and {@code text}.
 */
@NullMarked
package dev.sluice.cli.trace;

import org.jspecify.annotations.NullMarked;

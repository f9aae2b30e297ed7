/**
 * How do the algorithms differ on the same traffic? {@code sluice compare} plays it to each, in virtual time, and
 * prints a table, a page or charts. Called by {@code cli}; may use {@code command}, {@code text}, the logs of {@code
 * rehearse}, the limiter and the store in memory.
 */
@NullMarked
package dev.sluice.cli.compare;

import org.jspecify.annotations.NullMarked;

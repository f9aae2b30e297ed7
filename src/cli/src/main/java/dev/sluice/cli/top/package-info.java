/**
 * Who is nearest a limit, and who is refused? {@code sluice top} reads all counters of a store, in steps that delay
 * nobody.
 */
@NullMarked
package dev.sluice.cli.top;

import org.jspecify.annotations.NullMarked;

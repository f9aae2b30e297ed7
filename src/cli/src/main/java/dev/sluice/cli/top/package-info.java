/**
 * Who is nearest a limit, and who is refused? {@code sluice top} reads all counters in a store, in steps small enough
 * to delay nobody.
 */
@NullMarked
package dev.sluice.cli.top;

import org.jspecify.annotations.NullMarked;

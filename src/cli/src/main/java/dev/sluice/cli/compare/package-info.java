/**
 * How do the algorithms differ on the same traffic? {@code sluice compare} plays the traffic to each of them in virtual
 * time, and prints a table or writes a page or charts.
 */
@NullMarked
package dev.sluice.cli.compare;

import org.jspecify.annotations.NullMarked;

/**
 * How do the algorithms differ on the same traffic? {@code sluice compare} plays it to each, in virtual time, and
 * prints a table, a page or charts.
 */
@NullMarked
package dev.sluice.cli.compare;

import org.jspecify.annotations.NullMarked;

/**
 * How do the algorithms differ on the same traffic? {@code sluice compare} plays the traffic to each algorithm in
 * virtual time. It prints a table, and can also write a page or charts.
 */
@NullMarked
package dev.sluice.cli.compare;

import org.jspecify.annotations.NullMarked;

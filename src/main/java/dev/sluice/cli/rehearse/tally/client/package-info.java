/**
 * How much did each client of an endpoint ask for? A row of figures for each that is active, and names and courses over
 * time for those few of whom more is told. Called by {@code tally}, {@code report} and {@code suggest}; may use the
 * words.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally.client;

import org.jspecify.annotations.NullMarked;

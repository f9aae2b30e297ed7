/**
 * How much did each client of an endpoint ask for? A row of figures for each that is active, and the name and course
 * over time of those few that are reported by name. Called by {@code tally}, {@code report} and {@code suggest}; may
 * use the
 * words.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally.client;

import org.jspecify.annotations.NullMarked;

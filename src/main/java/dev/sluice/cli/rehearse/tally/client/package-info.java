/**
 * How much did each client of an endpoint ask for? Figures of each that is active or was refused much, and the course
 * over time of a few. Called by {@code tally}, {@code report} and {@code suggest}; may use the words.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally.client;

import org.jspecify.annotations.NullMarked;

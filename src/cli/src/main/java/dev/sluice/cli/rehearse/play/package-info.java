/**
 * What would the limiter have decided? In virtual time, this package plays the calls in a log to the same code that
 * decides real requests.
 */
@NullMarked
package dev.sluice.cli.rehearse.play;

import org.jspecify.annotations.NullMarked;

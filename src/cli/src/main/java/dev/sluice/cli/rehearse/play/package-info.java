/**
 * What would the limiter have decided? This package plays the calls in a log to the same code that decides real
 * requests, in virtual time.
 */
@NullMarked
package dev.sluice.cli.rehearse.play;

import org.jspecify.annotations.NullMarked;

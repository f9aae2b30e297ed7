/**
 * What would the limiter have decided? The calls in a log are played in virtual time to the code that serves requests.
 */
@NullMarked
package dev.sluice.cli.rehearse.play;

import org.jspecify.annotations.NullMarked;

/** What would the limiter have decided? Plays the calls of a log, in virtual time, to the code that serves requests. */
@NullMarked
package dev.sluice.cli.rehearse.play;

import org.jspecify.annotations.NullMarked;

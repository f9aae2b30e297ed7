/**
 * How are the lines of a log written? The bytes of one line go in, and out comes the call that it describes. Called by
 * {@code rehearse} and {@code log}; may call {@code call}.
 */
@NullMarked
package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.NullMarked;

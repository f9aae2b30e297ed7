/**
 * What does a line of an access log say? The bytes of one line go in, and out comes the call that it tells of ({@link
 * dev.sluice.cli.rehearse.call.LoggedCall}). Called by the folders beside it; may use the words and {@code
 * QueryString}.
 */
@NullMarked
package dev.sluice.cli.rehearse.format;

import org.jspecify.annotations.NullMarked;

/**
 * What does the text of one field of a line say? Times, addresses, request lines, and bytes that were escaped. Called by
 * {@code format}; may call {@code call}.
 */
@NullMarked
package dev.sluice.cli.rehearse.format.field;

import org.jspecify.annotations.NullMarked;

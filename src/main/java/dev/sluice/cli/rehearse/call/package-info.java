/**
 * What does a line of a log say about a call? Called by {@code rehearse} and the folders beside it; may use the words.
 */
@NullMarked
package dev.sluice.cli.rehearse.call;

import org.jspecify.annotations.NullMarked;

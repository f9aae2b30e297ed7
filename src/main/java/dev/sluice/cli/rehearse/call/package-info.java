/**
 * What does a line of a log say about a call, and how is the call kept until it is played? As bytes, in one piece, which
 * become text on request. Called by {@code rehearse} and the folders beside it; may use the words.
 */
@NullMarked
package dev.sluice.cli.rehearse.call;

import org.jspecify.annotations.NullMarked;

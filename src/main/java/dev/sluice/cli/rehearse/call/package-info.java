/**
 * What does a line of a log say of a call, and how is it kept until it is played? As bytes, in one piece; text is made
 * of them on request. Called by {@code rehearse} and the folders beside it; may use the words.
 */
@NullMarked
package dev.sluice.cli.rehearse.call;

import org.jspecify.annotations.NullMarked;

/**
 * How much, by whom, when? What is counted of calls as they are played, in memory that is bounded by the callers that
 * are active. Called by {@code rehearse}, {@code play}, {@code report} and {@code suggest}; may use
 * the words.
 */
@NullMarked
package dev.sluice.cli.rehearse.tally;

import org.jspecify.annotations.NullMarked;

/**
 * How is a file told to people? Definitions, tiers, problems and counts as text, the same in every command. Called by
 * every command; may use the words and {@code config}.
 */
@NullMarked
package dev.sluice.cli.text;

import org.jspecify.annotations.NullMarked;

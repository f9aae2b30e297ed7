/**
 * How is a file shown to people? This package formats endpoints, tiers, problems and counts as text, in the same way
 * for every command.
 */
@NullMarked
package dev.sluice.cli.output;

import org.jspecify.annotations.NullMarked;

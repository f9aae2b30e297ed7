/**
 * How do commands display the content of a file? This package formats endpoints, tiers, problems and counts as text, in
 * the same way for all commands.
 */
@NullMarked
package dev.sluice.cli.output;

import org.jspecify.annotations.NullMarked;

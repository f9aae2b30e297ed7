/** How is a file shown to people? Endpoints, tiers, problems and counts as text, the same in every command. */
@NullMarked
package dev.sluice.cli.output;

import org.jspecify.annotations.NullMarked;

/**
 * What will the imported file say? A draft holds the endpoints, with remarks on what could not be expressed or means
 * something else here, and is written as a {@code rate-limits.yml} that loads.
 */
@NullMarked
package dev.sluice.cli.imports.draft;

import org.jspecify.annotations.NullMarked;

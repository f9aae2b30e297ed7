/**
 * What will the imported file say? A draft has the endpoints, and remarks on settings that mean something else here or
 * cannot be expressed. It is written as a {@code rate-limits.yml} that loads.
 */
@NullMarked
package dev.sluice.cli.imports.draft;

import org.jspecify.annotations.NullMarked;

/**
 * How does a {@code rate-limits.yml} say what the Bucket4j starter for Spring Boot does? Settings are read as Spring binds
 * them, and expressions as far as they say who calls or which calls count. Called by the command; may use
 * {@code draft} and {@code source}.
 */
@NullMarked
package dev.sluice.cli.imports.bucket4j;

import org.jspecify.annotations.NullMarked;

/**
 * What would the filters of the Bucket4j starter for Spring Boot be as a {@code rate-limits.yml}? Their settings are
 * read as Spring binds them, and expressions as far as they say who calls or which calls. Called by the command; may use
 * {@code draft}, {@code source} and {@code path}.
 */
@NullMarked
package dev.sluice.cli.imports.bucket4j;

import org.jspecify.annotations.NullMarked;

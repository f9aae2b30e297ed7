/**
 * How are the limits of the Bucket4j starter for Spring Boot written for Sluice? {@code sluice import} reads the
 * starter's settings as Spring binds them, and those expressions that name a caller or choose the calls that count.
 * {@code draft} is the {@code rate-limits.yml} that it makes.
 */
@NullMarked
package dev.sluice.cli.imports;

import org.jspecify.annotations.NullMarked;

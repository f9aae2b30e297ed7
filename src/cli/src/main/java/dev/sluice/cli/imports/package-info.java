/**
 * How are the limits of the Bucket4j starter for Spring Boot expressed in Sluice? {@code sluice import} reads the
 * starter's settings as Spring binds them. It also reads the expressions that identify callers or select the calls that
 * count. {@code draft} contains the resulting {@code rate-limits.yml}.
 */
@NullMarked
package dev.sluice.cli.imports;

import org.jspecify.annotations.NullMarked;

/**
 * How does a Spring Boot application get its limits without any Java code? The auto-configuration opens the limiter
 * with the file or with the {@code sluice.*} properties, adds the application's beans, and registers the filter.
 */
@NullMarked
package dev.sluice.spring;

import org.jspecify.annotations.NullMarked;

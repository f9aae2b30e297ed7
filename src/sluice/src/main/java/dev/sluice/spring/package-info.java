/**
 * How does a Spring Boot application get its limits without a line of Java? Auto-configuration opens the limiter with
 * the file or the properties {@code sluice.*}, adds the application's beans, and registers the filter.
 */
@NullMarked
package dev.sluice.spring;

import org.jspecify.annotations.NullMarked;

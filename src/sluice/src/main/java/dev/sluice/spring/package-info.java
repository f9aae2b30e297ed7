/**
 * How does an application of Spring Boot get its limits without a line of Java? Auto-configuration opens the limiter
 * with the file or the properties {@code sluice.*}, adds the application's beans, and registers the filter.
 */
@NullMarked
package dev.sluice.spring;

import org.jspecify.annotations.NullMarked;

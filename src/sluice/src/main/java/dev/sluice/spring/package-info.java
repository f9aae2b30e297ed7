/**
 * How does an application of Spring Boot get its limits without a line of Java? Auto-configuration opens the limiter
 * with the file or the properties {@code sluice.*}, adds the application's beans, and registers the filter. Spring
 * Boot, an optional dependency, calls this package; nothing else uses it. It may use {@code servlet}, {@code config},
 * {@code page}, {@code metrics}, {@code store} and {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.spring;

import org.jspecify.annotations.NullMarked;

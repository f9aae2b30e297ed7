/**
 * How does an application of Spring Boot get its limits without a line of Java? Auto-configuration: it opens the limiter
 * by the file or the properties {@code sluice.*}, hands the application's beans to it, and registers the filter. Called
 * by Spring Boot, an optional dependency; may use {@code servlet}, {@code config}, {@code page}, {@code metrics}, {@code
 * store} and the words. Nothing uses it.
 */
@NullMarked
package dev.sluice.spring;

import org.jspecify.annotations.NullMarked;

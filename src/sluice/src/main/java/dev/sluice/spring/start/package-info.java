/**
 * How is a failed start reported? The way Spring Boot does it ({@link dev.sluice.spring.start.LimitsFailureAnalyzer}).
 * {@code spring} and {@code internal.spring.redis} call this package. It may use {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.spring.start;

import org.jspecify.annotations.NullMarked;

/**
 * How is a failed start reported? It is reported in Spring Boot's own way
 * ({@link dev.sluice.spring.start.LimitsFailureAnalyzer}).
 */
@NullMarked
package dev.sluice.spring.start;

import org.jspecify.annotations.NullMarked;

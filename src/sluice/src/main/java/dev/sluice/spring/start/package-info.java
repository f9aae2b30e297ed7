/**
 * How is a failed start reported? The way Spring Boot does it ({@link dev.sluice.spring.start.LimitsFailureAnalyzer}).
 */
@NullMarked
package dev.sluice.spring.start;

import org.jspecify.annotations.NullMarked;

/**
 * How is a failed start reported? In the way of Spring Boot ({@link
 * dev.sluice.spring.start.LimitsFailureAnalyzer}). Called by {@code spring} and {@code spring/redis}; may use the words.
 */
@NullMarked
package dev.sluice.spring.start;

import org.jspecify.annotations.NullMarked;

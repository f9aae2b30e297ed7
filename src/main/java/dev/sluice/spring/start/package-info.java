/**
 * What becomes of a start that cannot succeed? It is told in the way of Spring Boot ({@link
 * dev.sluice.spring.start.LimitsFailureAnalyzer}). Called by {@code spring} and {@code spring/redis}; may use the words.
 */
@NullMarked
package dev.sluice.spring.start;

import org.jspecify.annotations.NullMarked;

/**
 * Which Redis does a Spring Boot application use? {@link dev.sluice.internal.spring.RedisOfApplication} returns its
 * address as a store URI.
 */
@NullMarked
package dev.sluice.internal.spring;

import org.jspecify.annotations.NullMarked;

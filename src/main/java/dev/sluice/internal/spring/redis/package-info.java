/**
 * Which Redis does an application of Spring Boot use? Answers with the URI of a store ({@link
 * dev.sluice.internal.spring.redis.RedisOfApplication}). Called by {@code spring}; may use {@code spring/start}.
 */
@NullMarked
package dev.sluice.internal.spring.redis;

import org.jspecify.annotations.NullMarked;

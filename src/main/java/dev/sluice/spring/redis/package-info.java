/**
 * Which Redis does an application of Spring Boot use? Answers with the URI of a store ({@link
 * dev.sluice.spring.redis.RedisOfApplication}). Called by {@code spring}; may use {@code spring/start}.
 */
@NullMarked
package dev.sluice.spring.redis;

import org.jspecify.annotations.NullMarked;

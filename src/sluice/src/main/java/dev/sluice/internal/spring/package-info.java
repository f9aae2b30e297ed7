/**
 * Which Redis does a Spring Boot application use? {@link dev.sluice.internal.spring.RedisOfApplication} answers with
 * the URI of a store.
 */
@NullMarked
package dev.sluice.internal.spring;

import org.jspecify.annotations.NullMarked;

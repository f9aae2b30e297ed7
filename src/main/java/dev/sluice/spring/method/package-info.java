/**
 * How are calls of a bean's methods limited? By an interceptor of Spring's own AOP around each method with {@link
 * dev.sluice.RateLimited}, and by answers to what it throws. Called by {@code spring}; may call {@code start}, both filters'
 * rooms, {@code http}, {@code config}, {@code match} and the words.
 */
@NullMarked
package dev.sluice.spring.method;

import org.jspecify.annotations.NullMarked;

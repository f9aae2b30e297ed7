/**
 * How are calls of a bean's methods limited? A Spring AOP interceptor wraps each method with {@link
 * dev.sluice.RateLimited}, and exception handlers respond to refused calls.
 */
@NullMarked
package dev.sluice.spring.method;

import org.jspecify.annotations.NullMarked;

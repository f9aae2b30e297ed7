/**
 * How are calls of a bean's methods limited? A Spring AOP interceptor wraps each method that has the {@link
 * dev.sluice.RateLimited} annotation, and exception handlers respond to refused calls.
 */
@NullMarked
package dev.sluice.spring.method;

import org.jspecify.annotations.NullMarked;

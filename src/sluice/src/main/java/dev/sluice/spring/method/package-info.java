/**
 * How are calls of a bean's methods limited? An interceptor of Spring AOP wraps each method with
 * {@link dev.sluice.RateLimited}, and handlers answer the exception that a refusal throws.
 */
@NullMarked
package dev.sluice.spring.method;

import org.jspecify.annotations.NullMarked;

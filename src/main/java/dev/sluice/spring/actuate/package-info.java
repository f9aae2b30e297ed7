/**
 * How does an operator see and change limits through Spring Boot's actuator? The health of the
 * limiter, the endpoint {@code ratelimits}, and the page. Called by {@code spring}; may use {@code config}, {@code page},
 * {@code store} and the words.
 */
@NullMarked
package dev.sluice.spring.actuate;

import org.jspecify.annotations.NullMarked;

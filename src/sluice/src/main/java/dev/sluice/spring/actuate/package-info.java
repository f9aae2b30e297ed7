/**
 * How does an operator see and change limits through Spring Boot's actuator? Through the health of the limiter, the
 * endpoint {@code ratelimits}, and the page. {@code spring} calls this package. It may use {@code config},
 * {@code page}, {@code store} and {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.spring.actuate;

import org.jspecify.annotations.NullMarked;

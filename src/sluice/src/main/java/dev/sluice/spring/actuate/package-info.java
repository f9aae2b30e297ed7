/**
 * How does an operator see and change limits through Spring Boot's actuator? Through the health of the limiter, the
 * endpoint {@code ratelimits}, and the page.
 */
@NullMarked
package dev.sluice.spring.actuate;

import org.jspecify.annotations.NullMarked;

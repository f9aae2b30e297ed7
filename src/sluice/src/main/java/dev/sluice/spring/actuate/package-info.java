/**
 * How do operators see and change limits through Spring Boot's actuator? They use the limiter's health indicator, the
 * {@code ratelimits} endpoint, and the page.
 */
@NullMarked
package dev.sluice.spring.actuate;

import org.jspecify.annotations.NullMarked;

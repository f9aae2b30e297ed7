/**
 * How is a failed startup reported? {@link dev.sluice.spring.start.LimitsFailureAnalyzer} reports it in Spring Boot's
 * failure format.
 */
@NullMarked
package dev.sluice.spring.start;

import org.jspecify.annotations.NullMarked;

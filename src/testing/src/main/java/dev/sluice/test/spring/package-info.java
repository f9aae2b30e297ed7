/**
 * How does a Spring Boot test put limits under test? With an annotation. This package may use {@code test}, and
 * {@code spring} for its auto-configuration.
 */
@NullMarked
package dev.sluice.test.spring;

import org.jspecify.annotations.NullMarked;

/**
 * How does a Spring Boot test put limits under test? It adds the {@link dev.sluice.test.spring.AutoConfigureSluice}
 * annotation.
 */
@NullMarked
package dev.sluice.test.spring;

import org.jspecify.annotations.NullMarked;

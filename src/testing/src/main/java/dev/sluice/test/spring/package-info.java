/**
 * How does a Spring Boot test put limits under test? It adds the annotation
 * {@link dev.sluice.test.spring.AutoConfigureSluice}.
 */
@NullMarked
package dev.sluice.test.spring;

import org.jspecify.annotations.NullMarked;

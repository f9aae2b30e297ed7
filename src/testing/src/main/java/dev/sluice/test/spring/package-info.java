/** How does a Spring Boot test put limits under test? With an annotation. */
@NullMarked
package dev.sluice.test.spring;

import org.jspecify.annotations.NullMarked;

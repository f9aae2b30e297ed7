/**
 * How does a test of Spring Boot get limits under test? By an annotation. May use {@code test}, and {@code spring}, whose
 * auto-configuration it adds.
 */
@NullMarked
package dev.sluice.test.spring;

import org.jspecify.annotations.NullMarked;

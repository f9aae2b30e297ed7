/**
 * How does an application test its limits? With {@link dev.sluice.test.LimitsUnderTest}, which count by a clock that
 * the test sets, and which a test uses up, resets and asserts on. Each part works without the libraries of the others:
 * JUnit ({@link dev.sluice.test.SluiceExtension}), AssertJ ({@link dev.sluice.test.LimitsAssertions}), and Spring
 * ({@code spring}). This package is a separate jar, and only applications use it. It may use {@code config},
 * {@code servlet} and {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.test;

import org.jspecify.annotations.NullMarked;

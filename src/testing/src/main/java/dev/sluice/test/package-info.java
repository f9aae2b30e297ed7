/**
 * How does an application test its limits? It uses {@link dev.sluice.test.LimitsUnderTest}, which count by a clock that
 * the test sets, and which a test can use up, reset and check with assertions. Each part works without the libraries of
 * the others: JUnit ({@link dev.sluice.test.SluiceExtension}), AssertJ ({@link dev.sluice.test.LimitsAssertions}), and
 * Spring ({@code spring}).
 */
@NullMarked
package dev.sluice.test;

import org.jspecify.annotations.NullMarked;

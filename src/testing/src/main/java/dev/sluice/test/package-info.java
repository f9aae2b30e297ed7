/**
 * How does an application test its limits? It uses {@link dev.sluice.test.LimitsUnderTest}. These limits follow a clock
 * that the test controls. The test can use up the limits, reset them, and check them with assertions. Each integration
 * works without the libraries of the others: JUnit ({@link dev.sluice.test.SluiceExtension}), AssertJ ({@link
 * dev.sluice.test.LimitsAssertions}), and Spring ({@code spring}).
 */
@NullMarked
package dev.sluice.test;

import org.jspecify.annotations.NullMarked;

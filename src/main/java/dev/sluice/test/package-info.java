/**
 * How does an application test its limits? With limits that count by a clock set by hand, and that a test uses up, resets and
 * asserts on: {@link dev.sluice.test.LimitsUnderTest}. Each part works without the libraries of the others: JUnit ({@link
 * dev.sluice.test.SluiceExtension}), AssertJ ({@link dev.sluice.test.LimitsAssertions}), and Spring ({@code spring}). A jar
 * of its own, used by applications only; may use {@code config}, {@code servlet} and the words.
 */
@NullMarked
package dev.sluice.test;

import org.jspecify.annotations.NullMarked;

/**
 * What does the limits file mean? {@code source} reads the text within bounds. {@code yaml} and {@code value} convert
 * the text to values with positions. {@code tier}, {@code caller}, {@code keys} and {@code file} convert these values
 * to limits, and report every mistake.
 */
@NullMarked
package dev.sluice.internal.config;

import org.jspecify.annotations.NullMarked;

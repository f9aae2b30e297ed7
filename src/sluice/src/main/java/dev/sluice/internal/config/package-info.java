/**
 * What does the file say? {@code source} reads the text within bounds, {@code yaml} and {@code value} turn it into
 * values that know their position, and {@code tier}, {@code caller}, {@code keys} and {@code file} turn those into
 * limits and collect every mistake.
 */
@NullMarked
package dev.sluice.internal.config;

import org.jspecify.annotations.NullMarked;

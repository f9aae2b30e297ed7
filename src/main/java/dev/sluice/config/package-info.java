/**
 * How does a limiter start and end? {@link dev.sluice.config.Sluice} reads a file, opens its store, and follows the
 * file until it is closed. The packages of {@code dev.sluice.internal.config} do the reading: {@code source} reads the
 * text within bounds, {@code yaml} and {@code shape} turn it into values that know their position, and {@code tier},
 * {@code caller}, {@code keys} and {@code file} turn those into limits and collect every mistake. {@code follow}
 * watches for changes. The servlet filter and the command line call this package; it may call {@code limiter}, {@code
 * match} and {@code store}.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;

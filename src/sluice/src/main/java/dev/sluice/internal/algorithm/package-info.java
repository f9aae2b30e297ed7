/**
 * How does each algorithm count? Pure arithmetic: state, time and cost in, result out; no clock, threads, I/O or log.
 */
@NullMarked
package dev.sluice.internal.algorithm;

import org.jspecify.annotations.NullMarked;

/**
 * How does a limiter start and end? {@link dev.sluice.config.Sluice} reads a file, opens its store, and follows the file
 * until it is closed. Users need this package only, not the folders below it: text is read within bounds ({@code
 * source}), turned into values that know their position ({@code yaml}, {@code shape}), and those into what the limiter
 * takes ({@code tier}, {@code caller}, {@code keys}, {@code file}); every mistake on the way is collected. {@code follow}
 * watches what may change. The servlet filter and the command line call it; it may call {@code limiter}, {@code match}
 * and {@code store}.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;

/**
 * How does a file become a running limiter? Text is read within bounds ({@link dev.sluice.config.ConfigSource}), turned
 * into values that know their place ({@code yaml}, {@code shape}), and those into the records of the root ({@code
 * tier}, {@code caller}, {@code keys}), with every mistake on the way collected ({@link dev.sluice.config.LimitsFile});
 * the limiter built from them follows the file until it is closed ({@link dev.sluice.config.Sluice}). Users need this
 * package only, not the folders below it. The servlet filter and the command line call it; it may call {@code
 * limiter}, {@code match} and {@code store}.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;

/**
 * How does a whole file become limits? {@link dev.sluice.internal.config.file.LimitsReader} converts its content to a
 * {@link dev.sluice.internal.config.file.LimitsFile}, which contains the limits, the store, and the intervals at which
 * to check for changes. If there are mistakes, the reader reports all of them.
 */
@NullMarked
package dev.sluice.internal.config.file;

import org.jspecify.annotations.NullMarked;

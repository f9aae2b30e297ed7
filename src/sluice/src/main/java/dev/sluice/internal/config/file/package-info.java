/**
 * What does a whole file say? {@link dev.sluice.internal.config.file.LimitsReader} turns its content into a
 * {@link dev.sluice.internal.config.file.LimitsFile}: the limits, the store, and how often to check for changes. If
 * there are mistakes, it reports all of them.
 */
@NullMarked
package dev.sluice.internal.config.file;

import org.jspecify.annotations.NullMarked;

/**
 * How is something done at intervals in the background? On a daemon thread of its own ({@link
 * dev.sluice.config.poll.Poller}). Called by {@code follow} and {@code status}; uses the JDK only.
 */
@NullMarked
package dev.sluice.config.poll;

import org.jspecify.annotations.NullMarked;

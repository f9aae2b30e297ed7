/**
 * How does something run at intervals in the background? On its own daemon thread ({@link
 * dev.sluice.internal.instance.poll.Poller}). Called by {@code follow} and {@code status}; uses the JDK only.
 */
@NullMarked
package dev.sluice.internal.instance.poll;

import org.jspecify.annotations.NullMarked;

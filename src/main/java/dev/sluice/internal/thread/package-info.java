/** How do threads in the background begin, and how do they end? Uses nothing. */
@NullMarked
package dev.sluice.internal.thread;

import org.jspecify.annotations.NullMarked;

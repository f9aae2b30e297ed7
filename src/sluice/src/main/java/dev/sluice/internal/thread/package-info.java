/** How do background threads begin, and how do they end? Uses no other package. */
@NullMarked
package dev.sluice.internal.thread;

import org.jspecify.annotations.NullMarked;

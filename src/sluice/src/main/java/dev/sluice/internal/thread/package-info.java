/** Which threads work in the background, who shares them, and how do they end? Uses no other package. */
@NullMarked
package dev.sluice.internal.thread;

import org.jspecify.annotations.NullMarked;

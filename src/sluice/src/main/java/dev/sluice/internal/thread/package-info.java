/** Which threads work in the background, who shares them, and how do they end? */
@NullMarked
package dev.sluice.internal.thread;

import org.jspecify.annotations.NullMarked;

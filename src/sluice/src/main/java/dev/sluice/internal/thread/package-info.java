/** Which threads work in the background, which tasks share them, and how do they end? */
@NullMarked
package dev.sluice.internal.thread;

import org.jspecify.annotations.NullMarked;

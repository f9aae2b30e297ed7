/** Which background threads does a limiter have, which tasks run on each of them, and how are they stopped? */
@NullMarked
package dev.sluice.internal.thread;

import org.jspecify.annotations.NullMarked;

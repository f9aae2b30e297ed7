/** How does one process keep counters, for one instance or for tests of a fleet? */
@NullMarked
package dev.sluice.internal.store.memory;

import org.jspecify.annotations.NullMarked;

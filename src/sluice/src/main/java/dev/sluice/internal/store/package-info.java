/** How do instances share counters? They use a counter store in memory, in Redis or in MongoDB. */
@NullMarked
package dev.sluice.internal.store;

import org.jspecify.annotations.NullMarked;

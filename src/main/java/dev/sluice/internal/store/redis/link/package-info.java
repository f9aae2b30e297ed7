/**
 * How is Redis reached, and what does a failure mean? Called by all folders of {@code redis}; it calls none of them.
 */
@NullMarked
package dev.sluice.internal.store.redis.link;

import org.jspecify.annotations.NullMarked;

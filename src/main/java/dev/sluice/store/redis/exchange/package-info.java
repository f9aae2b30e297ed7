/** How does a batch become calls of the script, and their texts a reply? Called by {@code redis} itself and {@code operator}. */
@NullMarked
package dev.sluice.store.redis.exchange;

import org.jspecify.annotations.NullMarked;

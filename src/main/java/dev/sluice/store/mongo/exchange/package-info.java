/** How does a batch become documents that are read, changed and written if nobody else has? It may call {@code link}. */
@NullMarked
package dev.sluice.store.mongo.exchange;

import org.jspecify.annotations.NullMarked;

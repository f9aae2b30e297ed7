/**
 * How is a batch applied to documents, which are read, changed, and written if unchanged since? It may call
 * {@code link}.
 */
@NullMarked
package dev.sluice.store.mongo.exchange;

import org.jspecify.annotations.NullMarked;

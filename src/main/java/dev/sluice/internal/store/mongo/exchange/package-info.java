/**
 * How is a batch applied to documents, which are read, changed, and written if unchanged since? It may call
 * {@code link}.
 */
@NullMarked
package dev.sluice.internal.store.mongo.exchange;

import org.jspecify.annotations.NullMarked;

/** How are counters and instances in MongoDB read for operators? It may call {@code link} and {@code exchange}. */
@NullMarked
package dev.sluice.internal.store.mongo.operator;

import org.jspecify.annotations.NullMarked;

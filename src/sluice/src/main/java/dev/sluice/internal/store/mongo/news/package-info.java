/** How do instances exchange news through MongoDB? It may call {@code link}. */
@NullMarked
package dev.sluice.internal.store.mongo.news;

import org.jspecify.annotations.NullMarked;

/** How do instances on a MongoDB exchange news? It may call {@code link}. */
@NullMarked
package dev.sluice.internal.store.mongo.news;

import org.jspecify.annotations.NullMarked;

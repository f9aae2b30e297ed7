/** How do instances on a MongoDB hear of each other's exchanges? It may call {@code link}. */
@NullMarked
package dev.sluice.store.mongo.news;

import org.jspecify.annotations.NullMarked;

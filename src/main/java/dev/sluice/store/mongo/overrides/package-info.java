/** How are limits of clients kept in MongoDB that were set outside the file? It may call {@code link}. */
@NullMarked
package dev.sluice.store.mongo.overrides;

import org.jspecify.annotations.NullMarked;

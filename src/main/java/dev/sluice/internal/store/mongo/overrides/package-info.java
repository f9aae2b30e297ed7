/** How are exceptions for single callers kept in MongoDB: limits set outside the file, and blocks? It may call {@code link}. */
@NullMarked
package dev.sluice.internal.store.mongo.overrides;

import org.jspecify.annotations.NullMarked;

/** How does MongoDB keep overrides and blocks? It may call {@code link}. */
@NullMarked
package dev.sluice.internal.store.mongo.overrides;

import org.jspecify.annotations.NullMarked;

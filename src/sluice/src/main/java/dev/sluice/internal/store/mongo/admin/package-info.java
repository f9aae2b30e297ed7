/** How do operators read counters and instances in MongoDB? It may call {@code link} and {@code exchange}. */
@NullMarked
package dev.sluice.internal.store.mongo.admin;

import org.jspecify.annotations.NullMarked;

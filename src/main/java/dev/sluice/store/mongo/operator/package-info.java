/** What do operators ask of the counters and instances that stand in MongoDB? It may call {@code link} and {@code exchange}. */
@NullMarked
package dev.sluice.store.mongo.operator;

import org.jspecify.annotations.NullMarked;

/**
 * How do instances share counters in MongoDB? The store reads versioned documents, changes them in Java, and writes
 * them back, unless another instance has changed them in the meantime. MongoDB itself only guarantees atomic writes of
 * single documents. This package builds all its other guarantees on this one.
 */
@NullMarked
package dev.sluice.internal.store.mongo;

import org.jspecify.annotations.NullMarked;

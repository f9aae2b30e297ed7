/**
 * How do instances count together in MongoDB? The store reads versioned documents, changes them in Java, and writes
 * them back unless another instance has changed them in the meantime. MongoDB itself only guarantees atomic writes of
 * single documents. This package builds everything else on that guarantee.
 */
@NullMarked
package dev.sluice.internal.store.mongo;

import org.jspecify.annotations.NullMarked;

/**
 * How do instances count together in MongoDB? The store reads documents with versions, changes them in Java, and writes
 * them back unless another instance has changed them meanwhile. MongoDB itself guarantees only that the write of a
 * single document is atomic; this package builds everything else on that.
 */
@NullMarked
package dev.sluice.internal.store.mongo;

import org.jspecify.annotations.NullMarked;

/**
 * How do instances count together in MongoDB? The store reads documents with versions, changes them in Java, and writes
 * them unless another instance has changed them meanwhile.
 */
@NullMarked
package dev.sluice.internal.store.mongo;

import org.jspecify.annotations.NullMarked;

/**
 * How do instances count together in MongoDB? The store reads documents with versions, changes them in Java, and writes
 * them unless another instance has changed them meanwhile. It may call {@code cell}, {@code algorithm} and the driver.
 */
@NullMarked
package dev.sluice.internal.store.mongo;

import org.jspecify.annotations.NullMarked;

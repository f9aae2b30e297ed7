/**
 * How do instances count together in MongoDB? By documents with versions, which the store reads, changes in Java, and
 * writes unless another instance wrote them meanwhile. It may call {@code cell}, {@code algorithm}, and the driver.
 */
@NullMarked
package dev.sluice.internal.store.mongo;

import org.jspecify.annotations.NullMarked;

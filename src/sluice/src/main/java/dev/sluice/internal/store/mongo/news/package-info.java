/**
 * How do instances exchange news through MongoDB? They write short-lived documents, and read the documents of other
 * instances through a change stream or by polling.
 */
@NullMarked
package dev.sluice.internal.store.mongo.news;

import org.jspecify.annotations.NullMarked;

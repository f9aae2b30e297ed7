/**
 * How do instances exchange news through MongoDB? They write short-lived documents, and read those of others by a
 * change stream or by polling.
 */
@NullMarked
package dev.sluice.internal.store.mongo.news;

import org.jspecify.annotations.NullMarked;

/**
 * How does a batch change documents? An exchange reads the documents, changes them, and writes them back, unless
 * another instance has changed them in the meantime.
 */
@NullMarked
package dev.sluice.internal.store.mongo.document;

import org.jspecify.annotations.NullMarked;

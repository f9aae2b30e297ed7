/**
 * How does a batch change documents? The exchange reads and changes them, and writes them if nobody has changed them
 * since.
 */
@NullMarked
package dev.sluice.internal.store.mongo.document;

import org.jspecify.annotations.NullMarked;

/**
 * How does a batch change documents? The exchange reads and changes them, and writes them back if they have not been
 * changed since.
 */
@NullMarked
package dev.sluice.internal.store.mongo.document;

import org.jspecify.annotations.NullMarked;

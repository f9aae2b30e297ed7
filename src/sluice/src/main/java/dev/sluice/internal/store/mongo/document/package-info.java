/**
 * How does a batch change documents? The exchange reads and changes them, and writes them back if no other instance has
 * changed them in the meantime.
 */
@NullMarked
package dev.sluice.internal.store.mongo.document;

import org.jspecify.annotations.NullMarked;

/**
 * What does a caller read of a decision, whoever serves it? The header fields, and the body of a refusal. Called by {@code
 * servlet} and {@code webflux}; it may call the words.
 */
@NullMarked
package dev.sluice.internal.http.reply;

import org.jspecify.annotations.NullMarked;

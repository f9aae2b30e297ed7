/**
 * What does a caller read in an answer, whichever server sends it? The header fields, and the body of a refusal.
 * {@code servlet} and {@code webflux} use this package. It may use {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.internal.http.response;

import org.jspecify.annotations.NullMarked;

/**
 * What does a caller see in a response, regardless of the server that sends it? This package writes the header fields
 * and the body of a refusal.
 */
@NullMarked
package dev.sluice.internal.http.response;

import org.jspecify.annotations.NullMarked;

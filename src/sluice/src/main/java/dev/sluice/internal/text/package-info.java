/**
 * How are values written for users, and how is untrusted text read and shown? Callers, JSON values, words for
 * constants, escaping, percent-decoding, SHA-256 digests, store URIs.
 */
@NullMarked
package dev.sluice.internal.text;

import org.jspecify.annotations.NullMarked;

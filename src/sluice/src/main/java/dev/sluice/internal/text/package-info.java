/**
 * How are values written for users, and how is untrusted text read and shown? This package writes callers, JSON values
 * and the words for constants. It also has escaping, percent-decoding, SHA-256 digests and store URIs.
 */
@NullMarked
package dev.sluice.internal.text;

import org.jspecify.annotations.NullMarked;

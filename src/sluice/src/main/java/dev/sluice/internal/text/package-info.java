/**
 * How is untrusted text read and shown? Escaping, percent-decoding, SHA-256 digests, store URIs. Uses no other package.
 */
@NullMarked
package dev.sluice.internal.text;

import org.jspecify.annotations.NullMarked;

/** How is untrusted text read and shown? Escapes, percent-decoding, SHA-256 digests, parts of URIs. Uses nothing. */
@NullMarked
package dev.sluice.internal.text;

import org.jspecify.annotations.NullMarked;

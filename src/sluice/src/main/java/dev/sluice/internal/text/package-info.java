/**
 * How are values formatted for users, and how is untrusted text parsed and displayed? This package formats callers,
 * JSON values and the words for constants. It also escapes text, decodes percent-encoding, computes SHA-256 digests and
 * parses store URIs.
 */
@NullMarked
package dev.sluice.internal.text;

import org.jspecify.annotations.NullMarked;

/**
 * Who is calling? Follows forwarding headers to the caller's address, finds subjects by chains of sources, and clients
 * by their subjects.
 */
@NullMarked
package dev.sluice.internal.match.caller;

import org.jspecify.annotations.NullMarked;

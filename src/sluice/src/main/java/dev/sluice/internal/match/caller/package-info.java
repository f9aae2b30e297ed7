/**
 * Who is calling? This package follows forwarding headers to the caller's address, finds subjects by chains of sources,
 * and finds clients by their subjects.
 */
@NullMarked
package dev.sluice.internal.match.caller;

import org.jspecify.annotations.NullMarked;

/**
 * Who is calling? This package follows forwarding headers to the caller's address, resolves subjects through chains of
 * sources, and looks up clients by their subjects.
 */
@NullMarked
package dev.sluice.internal.match.caller;

import org.jspecify.annotations.NullMarked;

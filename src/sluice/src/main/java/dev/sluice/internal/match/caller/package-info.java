/**
 * Who is calling? Follows forwarding headers to the caller's address, finds subjects by chains of sources, and clients
 * by their subjects. Called by {@code match.condition}, by {@code limiter} for each call, by {@code config} at load and
 * by {@code cli}; may call {@code match.path}, {@code match.text}, {@code text} and the values of {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.internal.match.caller;

import org.jspecify.annotations.NullMarked;

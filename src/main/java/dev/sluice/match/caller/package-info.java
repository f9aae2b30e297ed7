/**
 * Who is calling? Addresses and forwarded headers are followed to the caller, subjects are found by chains of sources,
 * and clients by their subjects. Called by {@code match.condition}, by {@code limiter} for each call, by {@code config}
 * at load and by {@code cli}; may call {@code match.path}, {@code match.text}, {@code text} and the words of {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.match.caller;

import org.jspecify.annotations.NullMarked;

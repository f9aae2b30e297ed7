/**
 * Which endpoints apply to a call, and who is calling? There are four packages: {@code condition} may call {@code
 * caller}, {@code caller} may call {@code path}, and all of them may call {@code text}. Called by {@code limiter} for
 * each call, by {@code config} at load and by {@code cli}; may use only the values of {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.internal.match;

import org.jspecify.annotations.NullMarked;

/**
 * Which endpoints apply to a call, and who is calling? There are four folders: {@code condition} may call
 * {@code caller}, which may call {@code path}, and all of these may call {@code text}. Called by {@code limiter} for
 * each call, by {@code config} at load and by {@code cli}; may use the values of {@code dev.sluice} only.
 */
@NullMarked
package dev.sluice.internal.match;

import org.jspecify.annotations.NullMarked;

/**
 * Does a definition hold for this call, at this moment? Conditions of subjects and of schedules. Called by {@code
 * limiter} for each call, by {@code config} at load and by {@code cli}; may call {@code match.caller}, {@code
 * match.text} and the words of {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.match.condition;

import org.jspecify.annotations.NullMarked;

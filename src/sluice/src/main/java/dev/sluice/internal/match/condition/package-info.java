/**
 * Does an endpoint's {@code when} hold for this call, at this time? Conditions on subjects, and schedules. Called by
 * {@code limiter} for each call, by {@code config} at load and by {@code cli}; may call {@code match.caller},
 * {@code match.text} and the values of {@code dev.sluice}.
 */
@NullMarked
package dev.sluice.internal.match.condition;

import org.jspecify.annotations.NullMarked;

package dev.sluice.limits;

/**
 * A note on an override. It states when and why the override was set. Times are in milliseconds since 1970. Immutable
 * and thread-safe.
 *
 * @param setMillis the time when the override was set; 0 if unknown
 * @param untilMillis the time when the override expires; 0 if it does not expire
 * @param by the operator who set it; empty if unknown
 * @param why the reason; empty if none was given
 */
public record OverrideNote(long setMillis, long untilMillis, String by, String why) {}

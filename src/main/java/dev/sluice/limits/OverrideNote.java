package dev.sluice.limits;

/**
 * Notes on an override. Times are in milliseconds since 1970.
 *
 * @param setMillis when it was set; 0 if unknown
 * @param untilMillis when it ends; 0 if it has no end
 * @param by who set it; empty if unknown
 * @param why the reason given; empty if there was none
 */
public record OverrideNote(long setMillis, long untilMillis, String by, String why) {}

package dev.sluice.limits;

/**
 * What is told of a limit that is kept outside the file. Moments are in milliseconds since 1970.
 *
 * @param setMillis when it was set; 0 if that is not known
 * @param untilMillis when it ends; 0 if it does not by itself
 * @param by who set it; empty if that is not known
 * @param why as whoever set it gave the reason; empty if there was none
 */
public record OverrideNote(long setMillis, long untilMillis, String by, String why) {}

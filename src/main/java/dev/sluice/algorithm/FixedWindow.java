package dev.sluice.algorithm;

/**
 * Fixed windows: time is cut into windows of one period, aligned to the epoch, so that all who agree on the time agree on the
 * windows. Each window has its own count; at its end all is forgotten. Simple and cheap, and blind to where in two
 * neighbouring windows the calls fell: around the boundary twice the threshold can pass within one period.
 */
public final class FixedWindow {

    private FixedWindow() {}

    /** The start of the window that the moment belongs to. */
    public static long startOf(long nowMillis, long periodMillis) {
        return Math.floorDiv(nowMillis, periodMillis) * periodMillis;
    }
}

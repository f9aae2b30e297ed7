package dev.sluice.servlet;

/** Tells how long the queue of a filter is, to tests in other packages. */
public final class FilterQueue {

    private FilterQueue() {}

    /** Whether so many calls are parked. */
    public static boolean isQueueing(RateLimitFilter filter, int calls) {
        return filter.isQueueing(calls);
    }
}

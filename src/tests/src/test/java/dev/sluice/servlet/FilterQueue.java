package dev.sluice.servlet;

/** Gives tests in other packages access to the queue of a filter. */
public final class FilterQueue {

    private FilterQueue() {}

    /** Whether exactly the given number of calls are parked. */
    public static boolean isQueueing(RateLimitFilter filter, int calls) {
        return filter.isQueueing(calls);
    }
}

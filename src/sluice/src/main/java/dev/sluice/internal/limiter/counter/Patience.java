package dev.sluice.internal.limiter.counter;

import java.util.concurrent.TimeUnit;

/**
 * The time limits of one pending call, on the monotonic clock. They determine which action is due in each state. The
 * state itself is stored elsewhere. Immutable.
 *
 * @param graceEndNanos the end of the grace period, after which the call is counted as waiting for the store
 * @param askingEndNanos the end of the time for which the call may ask the store before it awaits outcomes
 * @param outcomesEndNanos the end of the time for which the call may await outcomes
 * @param lastNanos the time for which the call may ask the store after it has awaited outcomes; 0 if there is no store
 */
record Patience(long graceEndNanos, long askingEndNanos, long outcomesEndNanos, long lastNanos) {

    /** The maximum time for which a call awaits the outcomes of other calls. */
    private static final long OUTCOME_NANOS = TimeUnit.MILLISECONDS.toNanos(Pool.OUTCOME_MILLIS);

    /** The action that is due at a given time. */
    enum Due {
        NOTHING,
        /** Try again, because permits might have become available over time. */
        LOOK,
        /** Count the call as waiting for the store from now on. */
        BEGIN_WAIT,
        /**
         * Let the call wait for the store's reply one last time. Its time for awaiting outcomes is over, but it is
         * still asking the store.
         */
        ASK_LAST,
        /** Decide the call. */
        END
    }

    /**
     * Creates the time limits of a call that asks the store first.
     *
     * @param mostNanos the maximum time after the call's arrival for which it may ask the store
     * @param lastNanos the time for which the call may ask the store again after it has awaited outcomes
     * @param graceNanos the time after the call's arrival for which it may ask the store without being counted as
     *     waiting
     */
    static Patience withStore(long arrivalNanos, long mostNanos, long lastNanos, long graceNanos) {
        return new Patience(
                arrivalNanos + graceNanos, arrivalNanos + mostNanos, arrivalNanos + OUTCOME_NANOS, lastNanos);
    }

    /** Creates the time limits of a call that can only await outcomes. */
    static Patience withoutStore(long arrivalNanos) {
        return new Patience(arrivalNanos, arrivalNanos, arrivalNanos + OUTCOME_NANOS, 0);
    }

    /**
     * Returns the time when the next action is due if the call stays in the given state until then.
     *
     * @param sinceNanos the time when the call entered this state
     * @param lookNanos the time when the missing permits become available
     */
    long dueNanos(PendingState state, long sinceNanos, long lookNanos) {
        return switch (state) {
            case ASKS_STORE -> earlier(graceEndNanos, askingEndNanos);
            case WAITS_FOR_STORE -> askingEndNanos;
            case EXPECTS_OUTCOMES, AWAITS_OUTCOMES, ASKS_AGAIN -> earlier(lookNanos, outcomesEndNanos);
            case ASKS_LAST -> sinceNanos + lastNanos;
            case TAKEN, REFUSED, GAVE_UP -> sinceNanos;
        };
    }

    /**
     * Returns the action that is due now.
     *
     * @param sinceNanos the time when the call entered this state
     */
    Due due(PendingState state, long sinceNanos, long nowNanos) {
        return switch (state) {
            case ASKS_STORE ->
                isOver(askingEndNanos, nowNanos)
                        ? Due.END
                        : isOver(graceEndNanos, nowNanos) ? Due.BEGIN_WAIT : Due.NOTHING;
            case WAITS_FOR_STORE -> isOver(askingEndNanos, nowNanos) ? Due.END : Due.NOTHING;
            case EXPECTS_OUTCOMES, AWAITS_OUTCOMES -> isOver(outcomesEndNanos, nowNanos) ? Due.END : Due.LOOK;
            case ASKS_AGAIN -> !isOver(outcomesEndNanos, nowNanos) ? Due.LOOK : lastNanos > 0 ? Due.ASK_LAST : Due.END;
            case ASKS_LAST -> isOver(sinceNanos + lastNanos, nowNanos) ? Due.END : Due.NOTHING;
            case TAKEN, REFUSED, GAVE_UP -> Due.NOTHING;
        };
    }

    /** Whether the time limit for outcomes applies to the call in the given state and has been reached. */
    boolean isOutcomeTimeOver(PendingState state, long nowNanos) {
        return state.isBoundByOutcomes() && isOver(outcomesEndNanos, nowNanos);
    }

    private static boolean isOver(long endNanos, long nowNanos) {
        return nowNanos - endNanos >= 0;
    }

    private static long earlier(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos < 0 ? oneNanos : otherNanos;
    }
}

package dev.sluice.internal.limiter.counter;

import java.util.concurrent.TimeUnit;

/**
 * How long one call is pending, and why, as far as time decides. Not thread-safe: the pending call guards it.
 *
 * <pre>
 *   ASKING ── it may await outcomes ──▶ AWAITING ── time is over, but the store may still have some ──▶ ASKING_LAST
 * </pre>
 */
final class Patience {

    /** The longest that a call awaits the outcomes of others. */
    private static final long OUTCOME_NANOS = TimeUnit.MILLISECONDS.toNanos(Pool.OUTCOME_MILLIS);

    private enum Stage {
        ASKING,
        AWAITING,
        ASKING_LAST
    }

    /** What to do at the due time. */
    enum Due {
        NOTHING,
        /** Try again: time may have given something back. */
        LOOK,
        /** Begin the wait: from now on, the call counts among those that wait for the store. */
        BEGIN_WAIT,
        /** Stop awaiting outcomes. */
        END_OUTCOMES,
        /** Decide the call. */
        DECIDE
    }

    private final long arrivalNanos;
    /** How long it may ask the store after it has awaited outcomes. */
    private final long lastNanos;

    private Stage stage;
    private long stageBeganNanos;
    /** Until when it may ask the store. */
    private long askingEndNanos;
    /** The end of the grace period: from then on, it counts among the calls that wait for the store. */
    private long graceEndNanos;

    private boolean hasBegunWait;
    /** How long it asked the store in earlier stages. */
    private long askedNanos;

    private Patience(Stage stage, long arrivalNanos, long mostNanos, long lastNanos, long graceNanos, long nowNanos) {
        this.stage = stage;
        this.arrivalNanos = arrivalNanos;
        this.lastNanos = lastNanos;
        this.askingEndNanos = arrivalNanos + mostNanos;
        this.graceEndNanos = arrivalNanos + graceNanos;
        this.stageBeganNanos = nowNanos;
    }

    /**
     * For a call that asks the store first.
     *
     * @param mostNanos how long it may ask, from its arrival
     * @param lastNanos how long it may ask again after it has awaited outcomes
     * @param graceNanos how long it may ask, from its arrival, before it counts among the calls that wait
     */
    static Patience withStore(long arrivalNanos, long mostNanos, long lastNanos, long graceNanos, long nowNanos) {
        return new Patience(Stage.ASKING, arrivalNanos, mostNanos, lastNanos, graceNanos, nowNanos);
    }

    /** For a call that only awaits outcomes. */
    static Patience withOutcomes(long arrivalNanos, long nowNanos) {
        return new Patience(Stage.AWAITING, arrivalNanos, 0, 0, 0, nowNanos);
    }

    boolean asksFirst() {
        return stage == Stage.ASKING;
    }

    boolean asksLast() {
        return stage == Stage.ASKING_LAST;
    }

    /** Whether it counts among the calls that wait for the store. */
    boolean hasBegunWait() {
        return hasBegunWait;
    }

    /**
     * When something is due.
     *
     * @param lookNanos when time gives something back
     */
    long dueNanos(long lookNanos) {
        if (stage == Stage.AWAITING) {
            long end = arrivalNanos + OUTCOME_NANOS;
            return lookNanos - end < 0 ? lookNanos : end;
        }
        return hasBegunWait || askingEndNanos - graceEndNanos < 0 ? askingEndNanos : graceEndNanos;
    }

    Due due(long nowNanos) {
        if (stage == Stage.AWAITING) {
            return nowNanos - arrivalNanos >= OUTCOME_NANOS ? Due.END_OUTCOMES : Due.LOOK;
        }
        if (nowNanos - askingEndNanos >= 0) {
            return Due.DECIDE;
        }
        return !hasBegunWait && nowNanos - graceEndNanos >= 0 ? Due.BEGIN_WAIT : Due.NOTHING;
    }

    /** Notes that it counts among the calls that wait for the store. */
    void beginsWait() {
        hasBegunWait = true;
    }

    /** Notes that it awaits outcomes from now on. */
    void awaitsOutcomes(long nowNanos) {
        ends(nowNanos);
        stage = Stage.AWAITING;
    }

    /** It has awaited outcomes for long enough. Returns whether it may ask the store once more, and does so. */
    boolean beginAskingLast(long nowNanos) {
        if (lastNanos == 0) {
            return false;
        }
        stage = Stage.ASKING_LAST;
        stageBeganNanos = nowNanos;
        askingEndNanos = nowNanos + lastNanos;
        graceEndNanos = nowNanos;
        return true;
    }

    /** Notes that it no longer asks the store. */
    void ends(long nowNanos) {
        if (stage != Stage.AWAITING) {
            askedNanos += nowNanos - stageBeganNanos;
        }
        stageBeganNanos = nowNanos;
        hasBegunWait = false;
    }

    /** How long it asked the store; final once it no longer asks. */
    long askedNanos() {
        return askedNanos;
    }
}

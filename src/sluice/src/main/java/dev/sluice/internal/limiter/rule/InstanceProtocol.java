package dev.sluice.internal.limiter.rule;

/**
 * The figures that can be tuned in how instances count together. Each one says what gets worse if it is changed. The
 * figures of the store are in {@link dev.sluice.internal.cell.StoreProtocol}. An <i>interval</i> is {@code sync.every}.
 *
 * <p>Instances with other figures can share a store. Only the figures of slack, charges and outages decide by how much
 * a limit of windows can be passed, because the store grants no permit twice. The others decide how many calls wait,
 * how long, and what that costs the store. {@code InstanceProtocolTest} has what must hold between figures. After a
 * change, play {@code FleetSimulationTest} and {@code RandomFleetTest}.
 */
public final class InstanceProtocol {

    // ---- Leases and reports

    /**
     * How many intervals a lease lasts. If it is longer, what a killed instance held flows back later, and its slots of
     * {@code concurrency} stay taken for longer. If it is shorter, an instance that stands still for a moment, or that
     * misses a report, loses what it holds.
     */
    public static final int LEASE_INTERVALS = 5;

    /**
     * An instance that holds permits reports at least once in this many intervals, which renews its lease. With more,
     * one report that fails can let the lease lapse. With fewer, holders without calls send more statements.
     */
    public static final int REPORT_INTERVALS = 2;

    /**
     * How many intervals before the end of its lease an instance drops what it holds of buckets and logs, without an
     * answer to its report. With more, it drops permits that no other instance may use yet, and its calls wait. With
     * fewer, an instance that was late goes on with permits that count as used, and returns them too late.
     */
    public static final double UNTRUSTED_INTERVALS = 1.5;

    /**
     * How often accounts are checked in an interval. With more checks, accounts take more CPU time. With fewer, permits
     * are returned later.
     */
    public static final int TICKS_PER_INTERVAL = 4;

    /**
     * After a step that is late by this many intervals, an instance drops the permits whose leases may be over before
     * it admits another call. With more, a process that stood still goes on with permits that are no longer its own.
     * With fewer, one that is short of CPU drops permits for nothing.
     */
    public static final int LATE_STEP_INTERVALS = 1;

    /**
     * After this many intervals without calls, a report is sent that could wait for another exchange. With more, totals
     * are exact later after the last call. With fewer, large fleets send a batch for each rare caller.
     */
    public static final int PATIENT_REPORT_INTERVALS = 2;

    // ---- Shares

    /**
     * With fewer calls per interval, an instance takes no share, so each call is reported, or asks, by itself. If this
     * number is larger, callers of moderate pace wait at each call. If it is smaller, permits lie with instances that
     * hardly need them, so others recall them.
     */
    public static final double LEAST_SHARED_CALLS = 3;

    /**
     * The margin of a share for bursts, in standard deviations. If it is larger, more has to be recalled near the
     * limit, and a killed instance costs callers more. If it is smaller, more calls of a burst wait.
     */
    public static final double MARGIN_DEVIATIONS = 4;

    /**
     * A share is refilled once it would last only this long. If it is longer, more batches are sent. If it is shorter
     * than an exchange takes, calls wait although the limit is far.
     */
    public static final long RUNS_LOW_MILLIS = 40;

    /**
     * A share that would last only this long is refilled if a batch is sent anyway. If it is longer, batches have more
     * statements. If it is shorter, counters become low one after the other, and each sends a batch.
     */
    public static final long RUNS_LOW_SOON_MILLIS = 200;

    /**
     * A share is refilled early only if this many times as much is left. If it is smaller, near the limit, where shares
     * are small, every batch asks for all counters. If it is larger, fewer counters share a batch.
     */
    public static final int PLENTY = 10;

    /**
     * An instance returns what exceeds this many times its share. If it is larger, others recall what it does not need.
     * With 1, it returns permits in one interval that it asks for in the next.
     */
    public static final int SURPLUS_SHARES = 2;

    /**
     * At the end of an interval, a share is refilled if more is missing than the share, divided by this. If it is
     * larger, busy counters send a statement in each interval. If it is smaller, shares run low first, and each takes a
     * batch by itself.
     */
    public static final int MISSING_DIVISOR = 4;

    /**
     * Of {@code concurrency}, an instance holds one free slot, and one for this many calls in flight. If there are
     * fewer calls for each free slot, others recall free slots more often. If there are more, calls wait for slots when
     * traffic grows.
     */
    public static final int CALLS_PER_FREE_SLOT = 4;

    /**
     * A counter without calls for this fraction of an interval is quiet, and returns its share. It is below 1 by one
     * tick, so that this happens within the interval. If it is larger, unused permits come back an interval later. If
     * it is smaller, bursts give shares back that they need again.
     */
    public static final double QUIET_INTERVALS = 0.74;

    // ---- One permit for a caller whose calls come one by one

    /**
     * If the chance that the next call comes in time is at least this, one permit is kept for it. If it is larger, more
     * single calls wait. If it is smaller, more permits are kept that nobody uses, which others have to recall.
     */
    public static final float LEAST_CHANCE = 0.7F;

    /**
     * The weight of one call in that chance. With this one, a single pause of a caller who was always in time changes
     * nothing, and a caller who called other instances has to be in time five times. If it is larger, a single call
     * changes the chance too much. If it is smaller, callers who come regularly wait for longer until they are
     * believed.
     */
    public static final float CHANCE_WEIGHT = 0.25F;

    /**
     * How many quarters of an interval before the end of its lease a kept permit is returned that nobody uses. With
     * more, a caller has to come earlier to find it. With fewer, the lease may lapse before the return arrives.
     */
    public static final int KEPT_PERMIT_QUARTERS = 3;

    // ---- Slack

    /**
     * Unless the limit is calm, the slack of all instances together is at most the remaining permits divided by this.
     * If it is larger, more new callers wait. With 1, more calls pass beyond limits that get used up.
     */
    public static final long SLACK_DIVISOR = 2;

    /**
     * A limit is calm if the fleet, at its present pace, uses no more than this fraction of it. If it is larger, slack
     * lets calls pass beyond limits that get used up. If it is smaller, callers of limits with enough left wait.
     */
    public static final double CALM = 0.75;

    /**
     * The length of a window, divided by this, is added to the time that has passed, because the first calls say little
     * about the pace. If it is larger, a few early calls end the calm. If it is smaller, a fast beginning is noticed
     * late.
     */
    public static final int EARLY_PACE_DIVISOR = 50;

    /**
     * In a fleet of more instances, what an instance knows about a busy limit is soon outdated, so it has slack only
     * after an answer and while calls come. If it is larger, more calls pass beyond limits. If it is smaller, new
     * callers wait in small fleets.
     */
    public static final int LARGE_FLEET_FOR_SLACK = 20;

    /**
     * Slack below the maximum, divided by this, is considered cut: only a call that finds less than it needs asks for
     * more. If it is larger, near the limit, each call takes a statement. If it is smaller, more calls wait near the
     * limit.
     */
    public static final int CUT_SLACK_DIVISOR = 8;

    // ---- Recalls, returns and used-up limits

    /** See {@link #recallPauseNanos}. */
    private static final long[] RECALL_PAUSES_NANOS = {1_000_000, 2_000_000, 5_000_000, 10_000_000};

    /**
     * After a statement that was not applied, how long an instance waits before it returns recalled permits. If it is
     * longer, those who need them wait for longer. If it is shorter, a store that rejects statements is asked in a
     * tight loop.
     */
    public static final long RETURN_PAUSE_AFTER_FAILURE_NANOS = 50_000_000;

    /**
     * An instance reports charges soon if they exceed the remaining permits divided by this. If it is larger, charges
     * take more batches. If it is smaller, charges that many instances have not reported pass the limit together.
     */
    public static final int CHARGES_DIVISOR = 40;

    /**
     * How long calls are refused at once after the store has said that less is left than they cost. If it is longer,
     * calls are refused although enough has come back, which no news tells. If it is shorter, callers of expensive
     * calls load the store.
     */
    public static final long TOO_LITTLE_MILLIS = 50;

    /**
     * After this many intervals, an instance asks again about a limit that is used up while others hold permits, since
     * others may have returned something that no news tells. With more, calls are refused for longer then. With fewer,
     * used-up limits load the store.
     */
    public static final int FIRST_QUESTION_INTERVALS = 2;

    /**
     * How many times as long the next such pause is. For a larger number, see {@link #LONGEST_QUESTION_INTERVALS}. With
     * 1, every used-up limit loads the store until its window ends.
     */
    public static final int QUESTION_GROWTH = 4;

    /** The longest such pause, in intervals. A change has the same effects as for {@link #FIRST_QUESTION_INTERVALS}. */
    public static final int LONGEST_QUESTION_INTERVALS = 16;

    /**
     * If unresponsive instances hold what calls need, calls are refused at once for an interval divided by this. If it
     * is larger, calls wait again, in vain, for holders that stand still. If it is smaller, calls are refused although
     * the holders have returned their permits.
     */
    public static final int UNRESPONSIVE_HOLDERS_DIVISOR = 4;

    // ---- Batches

    /**
     * The least pause between batches that are not urgent. If it is longer, shares run out before they are refilled. If
     * it is shorter, more batches, since fewer shares are refilled together.
     */
    public static final long BATCH_PAUSE_NANOS = 50_000_000;

    /**
     * How often requests of calls are read while calls come. If it is longer, shares run out before they are refilled.
     * If it is shorter, the background takes more CPU time.
     */
    public static final long LOOK_NANOS = 25_000_000;

    /**
     * The shortest pause after which an instance with accounts sends a batch without statements; usually it is an
     * interval. If it is longer, lost data are noticed later. If it is shorter, instances with short intervals load the
     * store.
     */
    public static final long SHORTEST_EMPTY_BATCH_NANOS = 1_000_000_000;

    /**
     * The longest such pause. If it is longer, the store counts fewer instances than are alive, and lost data are
     * noticed later. If it is shorter, idle instances load the store.
     */
    public static final long LONGEST_EMPTY_BATCH_NANOS = 3_000_000_000L;

    /**
     * In a fleet of more instances, each sends empty batches half as often. If it is larger, hundreds of idle instances
     * load the store. If it is smaller, smaller fleets notice lost data later.
     */
    public static final int LARGE_FLEET_FOR_BATCHES = 100;

    /**
     * How long the last exchanges may take when an instance stops. If it is longer, a service stops late when the store
     * is unavailable. If it is shorter, what it held stays used, as if it had been killed.
     */
    public static final long LONGEST_END_NANOS = 2_000_000_000;

    /**
     * How often an instance tells the store that it is alive, with a batch that it sends anyway. If it is longer and a
     * few batches fail, the instance counts as gone, and the others divide the limit without it during an outage. If it
     * is shorter, the store has more work.
     */
    public static final long PRESENT_EVERY_NANOS = 2_000_000_000;

    /**
     * The pause before a failed batch is sent again; it doubles with each failure. If it is longer, calls wait longer
     * after a lost connection. If it is shorter, a store that fails is asked in a tight loop.
     */
    public static final long FIRST_RESEND_PAUSE_NANOS = 2_000_000;

    /**
     * The longest such pause. If it is longer, instances notice late that the store is back, and others are granted
     * what they have used meanwhile. If it is shorter, many instances load a store that is just starting.
     */
    public static final long LONGEST_RESEND_PAUSE_NANOS = 1_000_000_000;

    /**
     * An attempt without answer or failure counts as failed after this time. If it is longer, an instance whose answer
     * was lost stays silent until its leases lapse. If it is shorter, a slow store gets the same batch again and again.
     */
    public static final long LOST_ANSWER_NANOS = 5_000_000_000L;

    /**
     * After conflicts for this long, a store that is otherwise healthy counts as unavailable. If it is longer, on an
     * instance whose writes keep conflicting, it takes longer until {@code onFailure} decides. If it is shorter, many
     * writers at once count as an outage.
     */
    public static final long LONGEST_CONFLICT_NANOS = 5_000_000_000L;

    // ---- Calls that wait

    /**
     * A call counts as waiting only after {@code sync.timeout}, divided by this, or {@link #LONGEST_GRACE_NANOS} if
     * that is less. A healthy store answers before, so until then it does not count towards {@code
     * pendingCalls.waiting}. If it is larger, calls are refused that would be answered in a moment. If it is smaller,
     * more threads wait than the file allows.
     */
    public static final int GRACE_DIVISOR = 5;

    /**
     * The longest such time, with a long {@code sync.timeout}. If it is longer, more threads wait than the file allows.
     */
    public static final long LONGEST_GRACE_NANOS = 100_000_000;

    /**
     * After this many times the time in which the store counts as unavailable, {@code onFailure} decides the calls that
     * wait for its answer. With more, they wait for longer when an outage begins. With 1, they are decided at the
     * moment when the store may be found unavailable, and an answer that arrives at that moment comes too late.
     */
    public static final int UNANSWERED_TIMES = 2;

    /**
     * A call stops waiting by itself if the background has not ended its wait this long after {@code sync.timeout}. If
     * it is longer, callers wait longer on a machine that is starved of CPU. If it is shorter, such a machine refuses
     * calls that would have been answered.
     */
    public static final long LATE_BACKGROUND_NANOS = 2_000_000_000;

    /**
     * While something is awaited, how long after one look for stalled time the next one begins. If it is longer,
     * stalled time is measured coarsely, and calls are refused for a pause of this process. If it is shorter, the looks
     * take CPU time.
     */
    public static final long ROUND_PAUSE_NANOS = 10_000_000;

    /**
     * If the background needs longer to read what has arrived, that time counts as stalled, and neither the store nor
     * other instances are blamed for it. If it is longer, a process that stands still takes the store for unavailable.
     * If it is shorter, a slow machine notices late that the store is unavailable.
     */
    public static final long LONGEST_ROUND_NANOS = 25_000_000;

    /**
     * An answer is not late before this time, however quick the store usually is. If it is longer, holders are blamed
     * for what the store delays, and calls are refused early. If it is shorter, each answer that is a little late
     * prolongs waits.
     */
    public static final long USUAL_EXCHANGE_NANOS = 25_000_000;

    // ---- Outages and lost data

    /**
     * A store that is usually slow may be unresponsive for at most this long before it counts as unavailable. If it is
     * longer, calls wait for longer when an outage begins. If it is shorter, a slow store counts as unavailable
     * although it answers.
     */
    public static final long LONGEST_UNRESPONSIVE_NANOS = 1_000_000_000;

    /**
     * After this time, an instance's part of a limit that is smaller than the number of instances is one call in each
     * new window. If it is longer, callers of instances without a part are locked out for longer. If it is shorter,
     * outages of a moment let more calls pass than the limit allows.
     */
    public static final long LONG_OUTAGE_MILLIS = 1_000;

    /**
     * Within this time, every instance notices that the store is back. Until then, and for {@link #REPORTED_NANOS},
     * instances keep to their parts, since the store does not know yet what others have used. If it is longer, calls
     * beyond the part are refused for longer. If it is shorter, more calls pass than the limit allows.
     */
    public static final long NOTICED_NANOS = 2_000_000_000;

    /**
     * How long the report of an outage's calls may take then. A change has the same effects as for {@link
     * #NOTICED_NANOS}.
     */
    public static final long REPORTED_NANOS = 250_000_000;

    /**
     * Within this time after the store is back, every instance that reaches it has told it that it is alive; until then
     * a smaller number of instances is not believed. If it is longer, after an outage in which instances stopped, parts
     * are too small for longer. If it is shorter, in a second outage, instances divide the limit by too few.
     */
    public static final long ALL_ALIVE_KNOWN_NANOS = 5_000_000_000L;

    /**
     * How long an instance remembers what its batches reported: longer than the longest time between two snapshots of
     * Redis, by its default settings. If it is longer, reports take more memory. If it is shorter, calls are missing
     * after a restart from an old snapshot, and nobody reports them again.
     */
    public static final long REPORTS_KEPT_MILLIS = 3_700_000;

    /**
     * How long it remembers them even if there are very many. A replica lags behind for less than this, and Sentinel
     * demotes an old master within eleven seconds; of older reports, only snapshots lack some. If it is longer, reports
     * take more memory. If it is shorter, calls are missing after a fail-over, and nobody reports them again.
     */
    public static final long REPORTS_RECENT_MILLIS = 12_000;

    /**
     * How fast other instances take permits is averaged: what was known before the last answer counts as much as an
     * interval divided by this. If it is larger, a moment without calls just before an outage makes instances divide
     * more than is left. If it is smaller, after the traffic has fallen, they divide less than is left.
     */
    public static final int OTHERS_PACE_DIVISOR = 8;

    /**
     * When an outage begins, others have taken at most this part of what the last answer left, if there are many. If it
     * is larger, callers lose more of their part if the traffic has fallen. If it is smaller, instances divide more
     * than is left.
     */
    public static final double MOST_TAKEN_BY_OTHERS = 0.3;

    // ---- Windows

    /**
     * For this long after its end, a window still counts calls that found it just before its end. If it is longer, what
     * it held is returned later. If it is shorter, a call that was stopped in between starts again in the next window.
     */
    public static final long LATE_CALLS_MILLIS = 100;

    private InstanceProtocol() {}

    /**
     * How long to wait for recalled permits before the next recall for the same calls, after this number of recalls. If
     * it is longer, calls wait for longer if the first holders cannot return enough. If it is shorter than a few round
     * trips, holders are recalled that are not needed, since the answers of the first ones are still in flight.
     */
    public static long recallPauseNanos(int repeats) {
        return RECALL_PAUSES_NANOS[Math.min(repeats, RECALL_PAUSES_NANOS.length - 1)];
    }
}

package dev.sluice.internal.limiter.rule;

/**
 * The tuning constants that control how instances count together. The comment on each constant describes what gets
 * worse if you increase it or decrease it. The constants of the store are in {@link
 * dev.sluice.internal.cell.StoreProtocol}. An <i>interval</i> is {@code sync.every}.
 *
 * <p>Instances with different constants can share a store. The store grants no permit twice, so only the constants of
 * slack, charges and outages determine by how much calls can exceed a window limit. The other constants determine how
 * many calls wait, how long they wait, and how much load the store has. {@code InstanceProtocolTest} contains the
 * conditions that must hold between constants. After a change, run {@code FleetSimulationTest} and {@code
 * RandomFleetTest}.
 */
public final class InstanceProtocol {

    // ---- Leases and reports

    /**
     * The length of a lease, in intervals. If you increase it, the permits of a killed instance become available later,
     * and its {@code concurrency} slots stay taken for longer. If you decrease it, an instance that stops for a moment
     * or misses a report loses the permits that it holds.
     */
    public static final int LEASE_INTERVALS = 5;

    /**
     * The maximum number of intervals between two reports of an instance that holds permits. Each report renews its
     * lease. If you increase it, a single failed report can let the lease lapse. If you decrease it, holders without
     * calls send more statements.
     */
    public static final int REPORT_INTERVALS = 2;

    /**
     * An instance that gets no answer to its report drops its bucket and log permits this many intervals before the
     * lease ends. If you increase it, the instance drops permits that no other instance may use yet, and its calls
     * wait. If you decrease it, a late instance continues to use permits that the store considers used, and returns
     * them too late.
     */
    public static final double UNTRUSTED_INTERVALS = 1.5;

    /**
     * The number of checks of an account per interval. If you increase it, accounts take more CPU time. If you decrease
     * it, permits are returned later.
     */
    public static final int TICKS_PER_INTERVAL = 4;

    /**
     * The delay of a background step, in intervals, after which an instance drops permits with possibly expired leases
     * before it admits another call. If you increase it, a process that was stopped continues to use permits that no
     * longer belong to it. If you decrease it, a process that is starved of CPU drops permits unnecessarily.
     */
    public static final int LATE_STEP_INTERVALS = 1;

    /**
     * The number of intervals without calls after which a report is sent that could wait for another exchange. If you
     * increase it, totals take longer to become exact after the last call. If you decrease it, large fleets send a
     * batch for each rare caller.
     */
    public static final int PATIENT_REPORT_INTERVALS = 2;

    // ---- Shares

    /**
     * The minimum number of calls per interval for which an instance takes a share. Below it, each call is reported, or
     * asks, individually. If you increase it, callers with a moderate pace wait at each call. If you decrease it,
     * instances hold permits that they hardly need, so other instances recall them.
     */
    public static final double LEAST_SHARED_CALLS = 3;

    /**
     * The margin of a share for bursts, in standard deviations. If you increase it, more permits have to be recalled
     * near the limit, and a killed instance costs callers more. If you decrease it, more calls of a burst wait.
     */
    public static final double MARGIN_DEVIATIONS = 4;

    /**
     * A share is refilled when it will last only this long. If you increase it, more batches are sent. If you decrease
     * it below the duration of an exchange, calls wait although the limit is far from used up.
     */
    public static final long RUNS_LOW_MILLIS = 40;

    /**
     * A share that will last only this long is refilled if a batch is sent anyway. If you increase it, batches contain
     * more statements. If you decrease it, counters run low one after another, and each of them sends a batch.
     */
    public static final long RUNS_LOW_SOON_MILLIS = 200;

    /**
     * A share is refilled early only if the remaining permits are at least this many times the expected use. If you
     * decrease it, every batch includes statements for all counters near the limit, where shares are small. If you
     * increase it, fewer counters share a batch.
     */
    public static final int PLENTY = 10;

    /**
     * An instance returns surplus permits if it holds more than this many times its share. If you increase it, other
     * instances recall permits that it does not need. If you decrease it to 1, the instance returns permits in one
     * interval and requests them again in the next.
     */
    public static final int SURPLUS_SHARES = 2;

    /**
     * At the end of an interval, a share is refilled if the missing permits exceed the share divided by this number. If
     * you increase it, busy counters send a statement in each interval. If you decrease it, shares run low first, and
     * each of them takes a separate batch.
     */
    public static final int MISSING_DIVISOR = 4;

    /**
     * For {@code concurrency}, an instance holds one free slot, plus one for this many calls in flight. If you decrease
     * it, other instances recall free slots more often. If you increase it, calls wait for slots when traffic grows.
     */
    public static final int CALLS_PER_FREE_SLOT = 4;

    /**
     * A counter without calls for this fraction of an interval is quiet and returns its share. The fraction is one tick
     * less than an interval, so that this happens within the interval. If you increase it, unused permits are returned
     * an interval later. If you decrease it, bursts return shares that they need again.
     */
    public static final double QUIET_INTERVALS = 0.74;

    // ---- One permit for a caller whose calls come one by one

    /**
     * One permit is kept for the next call if the chance that the call comes in time is at least this high. If you
     * increase it, more single calls wait. If you decrease it, more unused permits are kept, which other instances have
     * to recall.
     */
    public static final float LEAST_CHANCE = 0.7F;

    /**
     * The weight of one call in that chance. With this value, a single pause changes nothing for a caller who has
     * always been in time. A caller who used to call other instances has to be in time five times. If you increase it,
     * a single call changes the chance too much. If you decrease it, it takes longer to recognise callers who come
     * regularly.
     */
    public static final float CHANCE_WEIGHT = 0.25F;

    /**
     * An unused kept permit is returned this many quarters of an interval before the end of its lease. If you increase
     * it, a caller has to return sooner to find the permit. If you decrease it, the lease may lapse before the return
     * arrives.
     */
    public static final int KEPT_PERMIT_QUARTERS = 3;

    // ---- Slack

    /**
     * Unless the limit is calm, the slack of all instances together is at most the remaining permits divided by this
     * number. If you increase it, more new callers wait. If you decrease it to 1, more calls exceed limits that get
     * used up.
     */
    public static final long SLACK_DIVISOR = 2;

    /**
     * A limit is calm if the fleet, at its current pace, uses no more than this fraction of the limit. If you increase
     * it, slack lets calls exceed limits that get used up. If you decrease it, callers wait at limits that have enough
     * permits left.
     */
    public static final double CALM = 0.75;

    /**
     * The length of a window, divided by this number, is added to the elapsed time, because the first calls say little
     * about the pace. If you increase it, a few early calls end the calm. If you decrease it, a fast start is noticed
     * late.
     */
    public static final int EARLY_PACE_DIVISOR = 50;

    /**
     * The maximum size of a fleet in which new callers have slack at once, even at a busy limit. In a larger fleet, an
     * instance's knowledge of a busy limit soon becomes outdated. There, an instance has slack only after an answer and
     * while calls come. If you increase it, more calls exceed limits. If you decrease it, new callers wait in small
     * fleets.
     */
    public static final int LARGE_FLEET_FOR_SLACK = 20;

    /**
     * Slack of at most the maximum divided by this number is considered cut: only a call that finds too few permits
     * asks for more. If you increase it, each call near the limit takes a statement. If you decrease it, more calls
     * wait near the limit.
     */
    public static final int CUT_SLACK_DIVISOR = 8;

    // ---- Recalls, returns and used-up limits

    /** See {@link #recallPauseNanos}. */
    private static final long[] RECALL_PAUSES_NANOS = {1_000_000, 2_000_000, 5_000_000, 10_000_000};

    /**
     * How long an instance waits after a statement that was not applied before it returns recalled permits. If you
     * increase it, the instances that need them wait longer. If you decrease it, a store that rejects statements is
     * asked in a tight loop.
     */
    public static final long RETURN_PAUSE_AFTER_FAILURE_NANOS = 50_000_000;

    /**
     * An instance reports charges promptly if they exceed the remaining permits divided by this number. If you increase
     * it, charges take more batches. If you decrease it, the unreported charges of many instances together exceed the
     * limit by more.
     */
    public static final int CHARGES_DIVISOR = 40;

    /**
     * How long calls are refused at once after the store has said that fewer permits remain than they cost. If you
     * increase it, calls are refused although enough permits have become available, because no news announces that. If
     * you decrease it, callers of expensive calls load the store.
     */
    public static final long TOO_LITTLE_MILLIS = 50;

    /**
     * The number of intervals after which an instance asks again about a limit that is used up while other instances
     * hold permits. They may have returned permits without any news of it. If you increase it, calls are then refused
     * for longer. If you decrease it, used-up limits load the store.
     */
    public static final int FIRST_QUESTION_INTERVALS = 2;

    /**
     * The factor by which the pause before each further question of this kind grows. For the effect of an increase, see
     * {@link #LONGEST_QUESTION_INTERVALS}. If you decrease it to 1, every used-up limit loads the store until its
     * window ends.
     */
    public static final int QUESTION_GROWTH = 4;

    /**
     * The longest pause before such a question, in intervals. Changing it has the same effects as changing {@link
     * #FIRST_QUESTION_INTERVALS}.
     */
    public static final int LONGEST_QUESTION_INTERVALS = 16;

    /**
     * If unresponsive instances hold the permits that calls need, calls are refused at once for an interval divided by
     * this number. If you increase it, calls soon wait again in vain for unresponsive holders. If you decrease it,
     * calls are refused although the holders have returned their permits.
     */
    public static final int UNRESPONSIVE_HOLDERS_DIVISOR = 4;

    // ---- Batches

    /**
     * The minimum pause between batches that are not urgent. If you increase it, shares run out before they are
     * refilled. If you decrease it, more batches are sent, because fewer shares are refilled together.
     */
    public static final long BATCH_PAUSE_NANOS = 50_000_000;

    /**
     * The interval at which the background reads the checks that calls have requested. If you increase it, shares run
     * out before they are refilled. If you decrease it, the background takes more CPU time.
     */
    public static final long LOOK_NANOS = 25_000_000;

    /**
     * The shortest pause after which an instance with accounts sends a batch without statements. The pause is usually
     * an interval. If you increase it, lost data is noticed later. If you decrease it, instances with short intervals
     * load the store.
     */
    public static final long SHORTEST_EMPTY_BATCH_NANOS = 1_000_000_000;

    /**
     * The longest pause before an empty batch. If you increase it, the store sees fewer live instances than there are,
     * and lost data is noticed later. If you decrease it, idle instances load the store.
     */
    public static final long LONGEST_EMPTY_BATCH_NANOS = 3_000_000_000L;

    /**
     * In a fleet with more instances than this, each instance sends empty batches half as often. If you increase it,
     * hundreds of idle instances load the store. If you decrease it, smaller fleets notice lost data later.
     */
    public static final int LARGE_FLEET_FOR_BATCHES = 100;

    /**
     * The maximum duration of the last exchanges when an instance stops. If you increase it, a service takes longer to
     * stop while the store is unavailable. If you decrease it, the permits that the instance held stay used, as if it
     * had been killed.
     */
    public static final long LONGEST_END_NANOS = 2_000_000_000;

    /**
     * The interval at which an instance reports to the store that it is alive, as part of a batch that it sends anyway.
     * If you increase it, the store considers an instance gone after a few failed batches. In an outage, the other
     * instances then divide the limit without it. If you decrease it, the store has more work.
     */
    public static final long PRESENT_EVERY_NANOS = 2_000_000_000;

    /**
     * The pause before a failed batch is sent again. It doubles with each failure. If you increase it, calls wait
     * longer after a lost connection. If you decrease it, a failing store is asked in a tight loop.
     */
    public static final long FIRST_RESEND_PAUSE_NANOS = 2_000_000;

    /**
     * The longest pause before a failed batch is sent again. If you increase it, instances are late to notice that the
     * store is available again, and other instances are granted permits that the late instances have used in the
     * meantime. If you decrease it, many instances load a store that is just starting.
     */
    public static final long LONGEST_RESEND_PAUSE_NANOS = 1_000_000_000;

    /**
     * An attempt with neither answer nor failure is treated as failed after this time. If you increase it, an instance
     * whose answer was lost stays silent until its leases lapse. If you decrease it, a slow store receives the same
     * batch again and again.
     */
    public static final long LOST_ANSWER_NANOS = 5_000_000_000L;

    /**
     * A store that is otherwise healthy is treated as unavailable after this long with conflicts. If you increase it,
     * it takes longer until {@code onFailure} decides on an instance whose writes keep conflicting. If you decrease it,
     * many concurrent writers look like an outage.
     */
    public static final long LONGEST_CONFLICT_NANOS = 5_000_000_000L;

    // ---- Calls that wait

    /**
     * A call counts as waiting only after {@code sync.timeout} divided by this number, or after {@link
     * #LONGEST_GRACE_NANOS} if that is less. A healthy store answers before that, so the call does not count towards
     * {@code pendingCalls.waiting} until then. If you increase it, calls are refused that would be answered in a
     * moment. If you decrease it, more threads wait than the file allows.
     */
    public static final int GRACE_DIVISOR = 5;

    /**
     * The longest grace period of a call, which applies if {@code sync.timeout} is long. If you increase it, more
     * threads wait than the file allows.
     */
    public static final long LONGEST_GRACE_NANOS = 100_000_000;

    /**
     * A call waits for the store's answer for this many times the time after which the store is considered unavailable.
     * After that, {@code onFailure} decides the call. If you increase it, calls wait longer when an outage begins. If
     * you decrease it to 1, calls are decided at the moment when the store may be found unavailable, and an answer that
     * arrives at that moment is too late.
     */
    public static final int UNANSWERED_TIMES = 2;

    /**
     * A call ends its own wait if the background has not ended it this long after {@code sync.timeout}. If you increase
     * it, callers wait longer on a machine that is starved of CPU. If you decrease it, such a machine refuses calls
     * that would have been answered.
     */
    public static final long LATE_BACKGROUND_NANOS = 2_000_000_000;

    /**
     * The pause between two checks for stalled time while an answer or permits are awaited. If you increase it, stalled
     * time is measured coarsely, and calls are refused because of a pause of this process. If you decrease it, the
     * checks take CPU time.
     */
    public static final long ROUND_PAUSE_NANOS = 10_000_000;

    /**
     * If the background takes longer than this to read incoming messages, that time is treated as stalled. Neither the
     * store nor other instances are blamed for it. If you increase it, a process that was stopped concludes that the
     * store is unavailable. If you decrease it, a slow machine is late to notice that the store is unavailable.
     */
    public static final long LONGEST_ROUND_NANOS = 25_000_000;

    /**
     * An answer is not considered late before this time, however fast the store usually is. If you increase it, holders
     * are blamed for delays of the store, and calls are refused early. If you decrease it, each slightly late answer
     * prolongs waits.
     */
    public static final long USUAL_EXCHANGE_NANOS = 25_000_000;

    // ---- Outages and lost data

    /**
     * The maximum time for which a store that is usually slow can be unresponsive before it is considered unavailable.
     * If you increase it, calls wait longer when an outage begins. If you decrease it, a slow store is considered
     * unavailable although it answers.
     */
    public static final long LONGEST_UNRESPONSIVE_NANOS = 1_000_000_000;

    /**
     * The length of an outage after which every instance may admit one call in each new window of a limit that is
     * smaller than the number of instances. If you increase it, callers of instances without a part are locked out for
     * longer. If you decrease it, momentary outages let more calls pass than the limit allows.
     */
    public static final long LONG_OUTAGE_MILLIS = 1_000;

    /**
     * The time within which every instance notices that the store is available again. Until then, and for {@link
     * #REPORTED_NANOS} after it, instances do not exceed their parts, because the store does not yet know the use of
     * the other instances. If you increase it, calls beyond the part are refused for longer. If you decrease it, more
     * calls pass than the limit allows.
     */
    public static final long NOTICED_NANOS = 2_000_000_000;

    /**
     * The maximum time for reporting the calls of an outage once its end was noticed. A change has the same effects as
     * for {@link #NOTICED_NANOS}.
     */
    public static final long REPORTED_NANOS = 250_000_000;

    /**
     * The time after an outage within which every instance that can reach the store has reported that it is alive.
     * Until then, a decrease in the number of instances is not believed. If you increase it, parts stay too small for
     * longer after an outage in which instances stopped. If you decrease it, instances divide the limit by too small a
     * number in a second outage.
     */
    public static final long ALL_ALIVE_KNOWN_NANOS = 5_000_000_000L;

    /**
     * How long an instance remembers what its batches reported. It is longer than the longest time between two Redis
     * snapshots with default settings. If you increase it, reports take more memory. If you decrease it, calls are
     * missing after a restart from an old snapshot, and no instance reports them again.
     */
    public static final long REPORTS_KEPT_MILLIS = 3_700_000;

    /**
     * How long an instance remembers reports even if there are very many. A replica lags behind by less than this, and
     * Sentinel demotes an old master within eleven seconds. Only snapshots can lack older reports. If you increase it,
     * reports take more memory. If you decrease it, calls are missing after a fail-over, and no instance reports them
     * again.
     */
    public static final long REPORTS_RECENT_MILLIS = 12_000;

    /**
     * The weight of earlier knowledge in the average pace at which other instances take permits. It is an interval
     * divided by this number. If you increase it, a moment without calls just before an outage makes instances divide
     * more permits than remain. If you decrease it, they divide fewer permits than remain after a drop in traffic.
     */
    public static final int OTHERS_PACE_DIVISOR = 8;

    /**
     * The maximum fraction of the remaining permits in the last answer that many other instances can have taken when an
     * outage begins. If you increase it, callers lose more of their part after a drop in traffic. If you decrease it,
     * instances divide more permits than remain.
     */
    public static final double MOST_TAKEN_BY_OTHERS = 0.3;

    // ---- Windows

    /**
     * How long after its end a window still counts calls that found it just before its end. If you increase it, the
     * permits that it held are returned later. If you decrease it, a call that was stopped in between starts again in
     * the next window.
     */
    public static final long LATE_CALLS_MILLIS = 100;

    private InstanceProtocol() {}

    /**
     * Returns how long to wait for recalled permits before the next recall for the same calls, depending on the number
     * of recalls so far. If you increase the pauses, calls wait longer if the first holders cannot return enough. If
     * you make them shorter than a few round trips, permits are recalled unnecessarily from further holders, because
     * the answers of the first ones are still in flight.
     */
    public static long recallPauseNanos(int repeats) {
        return RECALL_PAUSES_NANOS[Math.min(repeats, RECALL_PAUSES_NANOS.length - 1)];
    }
}

package dev.sluice.internal.limiter.rule;

/**
 * The tuning constants that control how instances count together. The comment on each constant explains what the
 * constant is for and what gets worse if you increase or decrease it. The constants of the store are in {@link
 * dev.sluice.internal.cell.StoreProtocol}. An <i>interval</i> is {@code sync.every}.
 *
 * <p>Instances with different constants can share a store. The store grants no permit twice, so only the constants for
 * slack, charges and outages determine by how much calls can exceed a window limit. The other constants determine how
 * many calls wait, how long they wait, and how much load they put on the store. {@code InstanceProtocolTest} checks the
 * required relationships between constants. After a change, run {@code FleetSimulationTest} and {@code
 * RandomFleetTest}.
 */
public final class InstanceProtocol {

    // ---- Leases and reports

    /**
     * The length of a lease, in intervals. If you increase it, the permits that a killed instance held in buckets and
     * logs become available later, and its {@code concurrency} slots remain occupied for longer. If you decrease it, an
     * instance that pauses briefly or misses a report loses the permits that it holds.
     */
    public static final int LEASE_INTERVALS = 5;

    /**
     * The maximum number of intervals between two reports of an instance that holds permits. Each of these reports
     * renews the instance's lease. If you increase it, a single failed report can cause the lease to lapse. If you
     * decrease it, instances that hold permits but receive no calls send needless statements.
     */
    public static final int REPORT_INTERVALS = 2;

    /**
     * The time before the end of a lease, in intervals, at which an instance drops permits of buckets and logs. The
     * instance does so only if the store has not answered the instance's latest report. If you increase it, the
     * instance needlessly drops permits that no other instance may use yet, and its calls wait. If you decrease it, a
     * delayed instance continues to use permits that the store already considers used, and returns them too late.
     */
    public static final double UNTRUSTED_INTERVALS = 1.5;

    /**
     * The number of times that each active account is checked per interval. If you increase it, these checks use more
     * CPU time. If you decrease it, unused permits are returned to the store later.
     */
    public static final int TICKS_PER_INTERVAL = 4;

    /**
     * The delay of a background step, in intervals, after which an instance no longer relies on its leases. It then
     * drops the affected permits before it admits any further calls. If you increase it, a process that resumes
     * after a stop can use permits for longer although it no longer owns them. If you decrease it, a process that is
     * starved of CPU needlessly drops permits.
     */
    public static final int LATE_STEP_INTERVALS = 1;

    /**
     * The number of intervals without calls after which a report no longer waits for an exchange that it can join. If
     * you increase it, totals take longer to become exact after the last call. If you decrease it, large fleets send a
     * separate batch for each infrequent caller.
     */
    public static final int PATIENT_REPORT_INTERVALS = 2;

    // ---- Shares

    /**
     * The minimum number of calls per interval at which an instance requests a share. Below this rate, each call is
     * reported individually or requests its own permit. If you increase it, callers with a moderate pace have to wait
     * on each call. If you decrease it, instances hold permits that they rarely need, so other instances have to recall
     * them.
     */
    public static final double LEAST_SHARED_CALLS = 3;

    /**
     * The margin that a share includes for bursts, in standard deviations. If you increase it, more permits have to be
     * recalled near the limit, and callers lose more permits when an instance is killed. If you decrease it, more calls
     * in a burst have to wait.
     */
    public static final double MARGIN_DEVIATIONS = 4;

    /**
     * The lead time for refilling a share. The share is refilled this long before it is expected to run out. If you
     * increase it, needless batches are sent. If you decrease it below the duration of an exchange, calls wait although
     * the limit is far from used up.
     */
    public static final long RUNS_LOW_MILLIS = 40;

    /**
     * The lead time for refilling a share as part of a batch that is sent anyway. The share is refilled if it is
     * expected to run out within this time. If you increase it, batches contain needless statements. If you decrease
     * it, shares run low one after another, and each of them requires a separate batch.
     */
    public static final long RUNS_LOW_SOON_MILLIS = 200;

    /**
     * The factor that determines whether a share is refilled early as part of a batch that is sent for a different
     * reason. The remaining permits have to be at least this many times the expected use. If you increase it, fewer
     * shares are refilled together. If you decrease it, every batch contains statements for all counters near their
     * limits, because shares are small there.
     */
    public static final int PLENTY = 10;

    /**
     * The multiple of its share that an instance can hold before it returns surplus permits. If you increase it, other
     * instances have to recall permits that the instance does not need. If you decrease it to 1, the instance returns
     * permits in one interval and requests them again in the next.
     */
    public static final int SURPLUS_SHARES = 2;

    /**
     * The divisor that determines whether a share is refilled at the end of an interval. The share is refilled if the
     * number of missing permits exceeds the share divided by this number. If you increase it, busy counters send a
     * needless statement in each interval. If you decrease it, shares run low before they are refilled, and each of
     * them requires a separate batch.
     */
    public static final int MISSING_DIVISOR = 4;

    /**
     * The number of calls in flight per additional free {@code concurrency} slot that an instance holds. Apart from the
     * additional slots, an instance with calls in flight holds one free slot. If you increase it, calls wait for slots
     * when traffic grows. If you decrease it, other instances have to recall free slots more often.
     */
    public static final int CALLS_PER_FREE_SLOT = 4;

    /**
     * The fraction of an interval without calls after which a counter is quiet and returns its share. It is one tick
     * less than an interval, so the share is returned within the interval. If you increase it, unused permits are
     * returned an interval later. If you decrease it, shares are returned between bursts although the next burst needs
     * them again.
     */
    public static final double QUIET_INTERVALS = 0.74;

    // ---- One permit for callers whose calls arrive one at a time

    /**
     * The minimum probability that the next call arrives in time. If the probability is lower, no permit is kept for
     * that call. If you increase it, more single calls wait. If you decrease it, more permits are kept needlessly, and
     * other instances have to recall them.
     */
    public static final float LEAST_CHANCE = 0.7F;

    /**
     * The weight of one call in the average probability that the next call arrives in time. With this value, a permit
     * is still kept after a single pause if all the caller's earlier calls were in time. If the caller previously
     * called other instances, five calls have to be in time before a permit is kept. If you increase it, a single call
     * changes the probability too much. If you decrease it, recognising regular callers takes longer.
     */
    public static final float CHANCE_WEIGHT = 0.25F;

    /**
     * The time before the end of its lease, in quarters of an interval, at which an unused kept permit is returned. If
     * you increase it, the caller has to call again sooner to find the permit. If you decrease it, the lease can lapse
     * before the store receives the permit.
     */
    public static final int KEPT_PERMIT_QUARTERS = 3;

    // ---- Slack

    /**
     * The divisor that bounds slack unless the limit is calm. The slack of all instances together is at most the
     * remaining permits divided by this number. If you increase it, more new callers wait. If you decrease it to 1,
     * more calls exceed limits that become used up.
     */
    public static final long SLACK_DIVISOR = 2;

    /**
     * The maximum fraction of a calm limit that the fleet can use at its current pace. If you increase it, slack allows
     * calls to exceed limits that become used up. If you decrease it, callers needlessly wait at limits with enough
     * remaining permits.
     */
    public static final double CALM = 0.75;

    /**
     * The divisor that determines how cautiously the pace is computed at the beginning of a window. The length of the
     * window, divided by this number, is added to the elapsed time, because the first calls reveal little about the
     * pace. If you increase it, a limit stops being calm after only a few early calls. If you decrease it, a fast start
     * is noticed late.
     */
    public static final int EARLY_PACE_DIVISOR = 50;

    /**
     * The maximum size of a fleet in which new callers immediately have slack even at a busy limit. In a larger fleet,
     * an instance's knowledge of a busy limit quickly becomes outdated, so the instance has slack only after an answer
     * and only while it receives calls. If you increase it, more calls exceed limits. If you decrease it, new callers
     * needlessly wait in small fleets.
     */
    public static final int LARGE_FLEET_FOR_SLACK = 20;

    /**
     * The divisor that determines when slack is considered cut. Slack is cut if it is at most the maximum slack divided
     * by this number. Only a call that finds too few permits then requests more. If you increase it, each call near the
     * limit requires a statement. If you decrease it, more calls near the limit wait.
     */
    public static final int CUT_SLACK_DIVISOR = 8;

    // ---- Recalls, returns and used-up limits

    /** The pauses that {@link #recallPauseNanos} returns. */
    private static final long[] RECALL_PAUSES_NANOS = {1_000_000, 2_000_000, 5_000_000, 10_000_000};

    /**
     * How long an instance delays the return of recalled permits after the store has failed to apply a statement. If
     * you increase it, the instances that need these permits wait longer. If you decrease it, a store that rejects
     * statements is queried in a tight loop.
     */
    public static final long RETURN_PAUSE_AFTER_FAILURE_NANOS = 50_000_000;

    /**
     * The divisor that determines whether charges are reported promptly. An instance reports charges promptly if they
     * exceed the remaining permits divided by this number. If you increase it, charges require more batches. If you
     * decrease it, the unreported charges of many instances together exceed the limit by more.
     */
    public static final int CHARGES_DIVISOR = 40;

    /**
     * How long calls are refused without waiting after the store has replied that fewer permits remain than the calls
     * cost. If you increase it, calls are needlessly refused after enough permits have become available, because no
     * news announces these permits. If you decrease it, callers of expensive calls put more load on the store.
     */
    public static final long TOO_LITTLE_MILLIS = 50;

    /**
     * The number of intervals after which an instance asks the store again about a used-up limit. Other instances might
     * have returned permits even if this instance has received no news. If you increase it, calls are needlessly
     * refused for longer in that case. If you decrease it, used-up limits put more load on the store.
     */
    public static final int FIRST_QUESTION_INTERVALS = 2;

    /**
     * The factor by which the pause grows each time an instance asks the store again about a used-up limit. For the
     * effect of an increase, see {@link #LONGEST_QUESTION_INTERVALS}. If you decrease it to 1, the pause never grows,
     * and every used-up limit puts load on the store until its window ends.
     */
    public static final int QUESTION_GROWTH = 4;

    /**
     * The longest pause, in intervals, before an instance asks the store again about a used-up limit. Changing it has
     * the same effects as changing {@link #FIRST_QUESTION_INTERVALS}.
     */
    public static final int LONGEST_QUESTION_INTERVALS = 16;

    /**
     * The divisor that determines how long calls are refused without waiting if unresponsive instances hold the needed
     * permits. The time is an interval divided by this number. If you increase it, calls soon wait in vain for these
     * instances again. If you decrease it, calls are needlessly refused after these instances have returned their
     * permits.
     */
    public static final int UNRESPONSIVE_HOLDERS_DIVISOR = 4;

    // ---- Batches

    /**
     * The minimum pause between batches that are not urgent. If you increase it, shares run out before they are
     * refilled. If you decrease it, more batches are sent, because fewer shares are refilled together.
     */
    public static final long BATCH_PAUSE_NANOS = 50_000_000;

    /**
     * The interval at which the background thread, while calls arrive, reads the checks that calls have requested. If
     * you increase it, shares run out before they are refilled. If you decrease it, the background thread uses more CPU
     * time.
     */
    public static final long LOOK_NANOS = 25_000_000;

    /**
     * The shortest pause before an instance with accounts sends an empty batch. The pause is normally an interval. If
     * you increase it, lost data is noticed later. If you decrease it, instances with short intervals put more load on
     * the store.
     */
    public static final long SHORTEST_EMPTY_BATCH_NANOS = 1_000_000_000;

    /**
     * The longest pause before an empty batch. If you increase it, the store counts fewer live instances than there
     * are, and lost data is noticed later. If you decrease it, idle instances put more load on the store.
     */
    public static final long LONGEST_EMPTY_BATCH_NANOS = 3_000_000_000L;

    /**
     * The maximum size of a fleet in which instances send empty batches at the normal rate. In a larger fleet, each
     * instance sends them half as often. If you increase it, hundreds of idle instances put more load on the store. If
     * you decrease it, smaller fleets notice lost data later.
     */
    public static final int LARGE_FLEET_FOR_BATCHES = 100;

    /**
     * The maximum duration of the final exchanges when an instance stops. If you increase it, a service takes longer to
     * shut down while the store is unavailable. If you decrease it, the instance can run out of time before it has
     * returned its permits. They then remain used, as if the instance had been killed.
     */
    public static final long LONGEST_END_NANOS = 2_000_000_000;

    /**
     * The interval at which an instance reports to the store that it is alive, as part of a batch that it sends anyway.
     * If you increase it, the store considers an instance gone after a few failed batches. In an outage, the other
     * instances then divide the limit without it. If you decrease it, the store has to do more work.
     */
    public static final long PRESENT_EVERY_NANOS = 2_000_000_000;

    /**
     * The pause before a failed batch is sent again. The pause doubles with each failure. If you increase it, calls
     * needlessly wait longer after a lost connection. If you decrease it, a failing store is queried in a tight loop.
     */
    public static final long FIRST_RESEND_PAUSE_NANOS = 2_000_000;

    /**
     * The longest pause before a failed batch is sent again. If you increase it, some instances notice too late that
     * the store is available again. Meanwhile, the store grants other instances permits that the late instances have
     * already used. If you decrease it, many instances put load on a store that is just starting.
     */
    public static final long LONGEST_RESEND_PAUSE_NANOS = 1_000_000_000;

    /**
     * The time after which an attempt to send a batch is treated as failed if it has led to neither an answer nor a
     * failure. If you increase it, an instance whose answer was lost sends nothing until its leases lapse. If you
     * decrease it, a slow store receives the same batch again and again.
     */
    public static final long LOST_ANSWER_NANOS = 5_000_000_000L;

    /**
     * How long conflicts can persist before an otherwise healthy store is treated as unavailable. If you increase it,
     * the {@code onFailure} policy takes effect later on an instance whose writes keep conflicting. If you decrease it,
     * many concurrent writers are mistaken for an outage.
     */
    public static final long LONGEST_CONFLICT_NANOS = 5_000_000_000L;

    // ---- Waiting calls

    /**
     * The divisor that determines the grace period of a waiting call. The grace period is {@code sync.timeout} divided
     * by this number, or {@link #LONGEST_GRACE_NANOS} if that is less. A call is counted towards {@code
     * pendingCalls.waiting} only after its grace period, because a healthy store answers sooner. If you increase it,
     * calls are needlessly refused although the store is about to answer. If you decrease it, more threads wait than
     * the configuration allows.
     */
    public static final int GRACE_DIVISOR = 5;

    /**
     * The longest grace period of a call. It applies if {@code sync.timeout} is long. If you increase it, more threads
     * wait than the configuration allows.
     */
    public static final long LONGEST_GRACE_NANOS = 100_000_000;

    /**
     * The factor that determines how long a call waits for the store's answer. The wait is this many times as long as
     * the time after which the store is considered unavailable. After the wait, the {@code onFailure} policy applies to
     * the call. If you increase it, calls wait longer when an outage begins. If you decrease it to 1, calls are decided
     * at the very moment when the store is found to be unavailable. An answer that arrives at that moment is then too
     * late.
     */
    public static final int UNANSWERED_TIMES = 2;

    /**
     * The time after {@code sync.timeout} at which a call ends its own wait if the background thread has not ended it.
     * If you increase it, callers wait longer on a machine that is starved of CPU. If you decrease it, such a machine
     * needlessly refuses calls before it has read the store's answers.
     */
    public static final long LATE_BACKGROUND_NANOS = 2_000_000_000;

    /**
     * The pause between two checks for stalled time while an answer or permits are awaited. If you increase it, stalled
     * time is measured too coarsely, and calls are needlessly refused after this process has paused. If you decrease
     * it, the checks use more CPU time.
     */
    public static final long ROUND_PAUSE_NANOS = 10_000_000;

    /**
     * The maximum time that the background thread can take to read incoming messages. If the thread takes longer, that
     * time is treated as stalled. Neither the store nor other instances are blamed for stalled time. If you increase
     * it, a process that was stopped wrongly concludes that the store is unavailable. If you decrease it, a slow
     * machine notices too late that the store is unavailable.
     */
    public static final long LONGEST_ROUND_NANOS = 25_000_000;

    /**
     * The minimum time before an answer is considered late, regardless of how fast the store usually answers. If you
     * increase it, instances that hold permits are blamed for delays that the store causes, and calls are refused too
     * early. If you decrease it, each slightly late answer needlessly prolongs waits.
     */
    public static final long USUAL_EXCHANGE_NANOS = 25_000_000;

    // ---- Outages and lost data

    /**
     * The maximum time for which a store that is usually slow can be unresponsive before it is considered unavailable.
     * If you increase it, calls wait longer when an outage begins. If you decrease it, a slow store is considered
     * unavailable although it still answers.
     */
    public static final long LONGEST_UNRESPONSIVE_NANOS = 1_000_000_000;

    /**
     * The length of an outage after which every instance may admit at least one call in each new window, even if the
     * limit is smaller than the number of instances. If you increase it, callers of instances whose part is 0 are
     * locked out for longer. If you decrease it, brief outages let more calls pass than the limit allows.
     */
    public static final long LONG_OUTAGE_MILLIS = 1_000;

    /**
     * The time within which every instance notices that the store is available again. During this time and for another
     * {@link #REPORTED_NANOS}, instances do not exceed their parts, because the store does not yet know the use of all
     * instances. If you increase it, calls that exceed a part are needlessly refused for longer. If you decrease it,
     * more calls pass than the limit allows.
     */
    public static final long NOTICED_NANOS = 2_000_000_000;

    /**
     * The maximum time that instances need to report the calls of an outage after they have noticed its end. Changing
     * it has the same effects as changing {@link #NOTICED_NANOS}.
     */
    public static final long REPORTED_NANOS = 250_000_000;

    /**
     * The time after an outage within which every instance that can reach the store has reported that it is alive.
     * Until then, a decrease in the number of instances is ignored. If you increase it, parts remain too small for
     * longer after an outage in which instances stopped. If you decrease it, the instances divide limits by too small a
     * number in a second outage.
     */
    public static final long ALL_ALIVE_KNOWN_NANOS = 5_000_000_000L;

    /**
     * How long an instance remembers its reports. This exceeds the longest time between two Redis snapshots with
     * default settings. If you increase it, reports use more memory. If you decrease it, calls are missing from the
     * counts after the store restarts from an old snapshot, and no instance reports them again.
     */
    public static final long REPORTS_KEPT_MILLIS = 3_700_000;

    /**
     * How long an instance remembers reports even if there are very many. A replica lags behind by less than this time,
     * and Sentinel demotes an old master within eleven seconds. Only snapshots can lack older reports. If you increase
     * it, reports use more memory. If you decrease it, calls are missing from the counts after a fail-over, and no
     * instance reports them again.
     */
    public static final long REPORTS_RECENT_MILLIS = 12_000;

    /**
     * The divisor that determines the weight of earlier answers in the average pace at which other instances take
     * permits. The weight is an interval divided by this number. If you increase it, instances divide more permits than
     * remain if there were no calls just before an outage. If you decrease it, they divide fewer permits than remain
     * after a drop in traffic.
     */
    public static final int OTHERS_PACE_DIVISOR = 8;

    /**
     * The maximum fraction of the remaining permits that other instances are assumed to have taken between the last
     * answer and the beginning of an outage. In a small fleet, the fraction is smaller. If you increase it, callers
     * lose more of their part after a drop in traffic. If you decrease it, instances divide more permits than remain.
     */
    public static final double MOST_TAKEN_BY_OTHERS = 0.3;

    // ---- Windows

    /**
     * How long after its end a window still admits calls that found the window just before its end. If you increase it,
     * the permits that were held in that window are returned later. If you decrease it, a call that was paused in
     * between has to start again in the next window.
     */
    public static final long LATE_CALLS_MILLIS = 100;

    private InstanceProtocol() {}

    /**
     * Returns how long to wait for recalled permits before the next recall for the same calls, depending on the number
     * of recalls so far. If you increase the pauses, calls wait longer if the first instances cannot return enough
     * permits. If you make the pauses shorter than a few round trips, permits are needlessly recalled from additional
     * instances, because the answers of the first instances are still in flight.
     */
    public static long recallPauseNanos(int repeats) {
        return RECALL_PAUSES_NANOS[Math.min(repeats, RECALL_PAUSES_NANOS.length - 1)];
    }
}

package dev.sluice.internal.limiter.simulation;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The calls of one caller to a {@link SimulatedFleet}. Each decision is compared with what the limits allow. */
public final class CallerLedger {

    /** How long after a limit was raised an instance may believe one that does not know it. */
    static final long RAISED_MILLIS = 3_000;
    /** How long after a limit was lowered calls may pass that began to wait before; and without push. */
    private static final long LOWERED_MILLIS = 100;

    private static final long LOWERED_WITHOUT_PUSH_MILLIS = 2_100;

    public final List<String> complaints = new ArrayList<>();
    public final List<Double> waitsMillis = new ArrayList<>();
    public long offered;
    public long admitted;
    public long early;
    /** The most by which the limit was passed. */
    public long over;

    private final SimulatedFleet fleet;
    private final Sync sync;
    private final List<JudgedLimit> limits;
    private final Set<Undecided> undecided = new HashSet<>();
    private long undecidedCost;
    private long notEnded;
    private long longestWaitMillis = Long.MAX_VALUE;
    private long afterLongestWaitMillis;
    private long mostWaitMillis = Long.MAX_VALUE;
    private long inOnePlace;
    private long excusedUntilMillis;
    private final Map<String, Long> admittedBy = new HashMap<>();
    private BooleanSupplier failing = () -> false;
    private long knownAfterMillis;

    /** A call that is being decided. */
    private static final class Undecided {
        private boolean mayBeRefused;

        Undecided(boolean mayBeRefused) {
            this.mayBeRefused = mayBeRefused;
        }
    }

    /** Opens an empty ledger. */
    public CallerLedger(SimulatedFleet fleet, List<Limit> limits, Sync sync) {
        this.fleet = fleet;
        this.sync = sync;
        this.limits = limits.stream()
                .map(limit -> new JudgedLimit(limit, slackOf(limit)))
                .toList();
    }

    private long slackOf(Limit limit) {
        return fleet.instances.size() * sync.slackOf(limit.capacity());
    }

    /** From now on other limits apply, one for each of those before. */
    public void change(List<Limit> next) {
        for (int tier = 0; tier < next.size(); tier++) {
            JudgedLimit limit = limits.get(tier);
            boolean isRaised = limit.changes(next.get(tier), slackOf(next.get(tier)), fleet.millis());
            long loweredMillis = fleet.pushes ? LOWERED_MILLIS : LOWERED_WITHOUT_PUSH_MILLIS;
            long laterMillis = isRaised ? RAISED_MILLIS : loweredMillis;
            fleet.loop.in(laterMillis * SimulatedFleet.MILLI, () -> limit.hasChanged(fleet.millis()));
        }
        look();
    }

    /** Whether a window ends, ended or began within this time. */
    public boolean isAtAnEdge(long withinMillis) {
        return limits.stream().anyMatch(limit -> limit.isAtAnEdge(fleet.millis(), withinMillis));
    }

    /** Until then a call that is refused early is no mistake: an instance is cut off, or has died. */
    public void excuseUntil(long millis) {
        excusedUntilMillis = Math.max(excusedUntilMillis, millis);
        undecided.forEach(call -> call.mayBeRefused = true);
    }

    /** Whether a call is being decided, or has been admitted and has not ended. */
    public boolean isAnyInFlight() {
        return !undecided.isEmpty() || notEnded > 0;
    }

    /**
     * Allows refusals of calls that have waited so long for what other instances hold, and of calls that come within
     * some time after that. For stores without push: holders are not told that others need their permits.
     */
    public void excuseWaits(long longestMillis, long afterMillis) {
        longestWaitMillis = longestMillis;
        afterLongestWaitMillis = afterMillis;
    }

    /** From now on a call that waits longer than this is a mistake, whether it passes or not. */
    public void mayWaitAtMost(long millis) {
        mostWaitMillis = millis;
    }

    /**
     * Lets some calls end with a status that does not count. What they took is there again, and so much later every
     * instance has to know it.
     */
    public void failing(BooleanSupplier which, long afterMillis) {
        failing = which;
        knownAfterMillis = afterMillis;
    }

    /** How much an instance has admitted. */
    public long admittedBy(SimulatedInstance instance) {
        return admittedBy.getOrDefault(instance.name, 0L);
    }

    /** The limits, in the order of their tiers. */
    public List<JudgedLimit> limits() {
        return limits;
    }

    /**
     * How many more calls would have passed on a single instance. Unknown for slots, since these come back later if
     * they are taken later.
     */
    public long missing() {
        boolean isConcurrency = limits.stream().anyMatch(limit -> limit.limit instanceof Limit.Concurrency);
        return isConcurrency ? 0 : Math.max(0, inOnePlace - admitted);
    }

    /** Makes a call within an event; returns the decision, {@code null} if the instance died before it decided. */
    public Decision call(SimulatedInstance instance, Call call, long cost, long lastsMillis) {
        offered++;
        decideInOnePlace(cost, lastsMillis);
        long began = fleet.loop.nanos();
        long beganMillis = fleet.millis();
        Undecided waiting = new Undecided(fleet.millis() < excusedUntilMillis);
        undecidedCost += cost;
        undecided.add(waiting);
        look();
        Decision decision = instance.decide(call);
        look();
        undecided.remove(waiting);
        undecidedCost -= cost;
        if (instance.isDead()) {
            limits.forEach(limit -> limit.perhapsAdmit(cost, beganMillis)); // the store may have granted it
            return decision;
        }
        double waitedMillis = (fleet.loop.nanos() - began) / 1e6;
        if (waitedMillis > 0) {
            waitsMillis.add(waitedMillis);
        }
        String what = "cost " + cost + " on " + instance.name + " after " + waitedMillis + " ms";
        if (waitedMillis > mostWaitMillis) {
            complain("waited too long: " + what);
        }
        if (decision.admitted()) {
            admitted(decision, instance, cost, lastsMillis, what);
        } else if (waitedMillis >= longestWaitMillis) {
            excuseUntil(fleet.millis() + afterLongestWaitMillis);
        } else if (!waiting.mayBeRefused && fleet.millis() >= excusedUntilMillis) {
            early++;
            complain("refused early: " + what + ", retry after " + decision.retryAfterMillis() + " ms");
        }
        return decision;
    }

    /**
     * From the moment at which the limits may not allow them, calls may be refused, and so may all calls that are
     * undecided then.
     */
    private void look() {
        long now = fleet.millis();
        if (!limits.stream().allMatch(limit -> limit.allowsSurely(undecidedCost, now, fleet.longestTripMillis / 2))) {
            undecided.forEach(call -> call.mayBeRefused = true);
        }
    }

    private void admitted(Decision decision, SimulatedInstance instance, long cost, long lastsMillis, String what) {
        admitted += cost;
        admittedBy.merge(instance.name, cost, Long::sum);
        for (JudgedLimit limit : limits) {
            long beyond = cost - limit.leftAtMost(fleet.millis(), fleet.longestTripMillis / 2);
            if (!limit.isExcused(fleet.millis())) {
                over = Math.max(over, beyond);
                if (beyond > limit.allowedOver()) {
                    complain("admitted " + beyond + " too many: " + what);
                }
            }
            limit.admit(cost, fleet.millis());
        }
        look();
        notEnded++;
        long admittedMillis = fleet.millis();
        fleet.loop.in(lastsMillis * SimulatedFleet.MILLI, () -> ended(decision, cost, admittedMillis));
    }

    private void ended(Decision decision, long cost, long admittedMillis) {
        notEnded--;
        limits.forEach(limit -> limit.end(cost));
        boolean counts = !failing.getAsBoolean();
        if (!counts) {
            limits.forEach(limit -> limit.giveBack(cost, admittedMillis, fleet.millis()));
            fleet.loop.in(
                    knownAfterMillis * SimulatedFleet.MILLI,
                    () -> limits.forEach(limit -> limit.haveGivenBack(cost, admittedMillis, fleet.millis())));
        }
        if (decision.ticket() != null) {
            decision.ticket().ended(counts ? 200 : 500);
        }
    }

    private void decideInOnePlace(long cost, long lastsMillis) {
        long now = fleet.millis();
        if (limits.stream().allMatch(limit -> limit.inOnePlace.left(now) >= cost)) {
            inOnePlace += cost;
            limits.forEach(limit -> limit.inOnePlace.admit(cost, now));
            fleet.loop.in(
                    lastsMillis * SimulatedFleet.MILLI, () -> limits.forEach(limit -> limit.inOnePlace.end(cost)));
        }
    }

    private void complain(String what) {
        complaints.add("at " + fleet.elapsedMillis() + " ms " + what);
    }
}

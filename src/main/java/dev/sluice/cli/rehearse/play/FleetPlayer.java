package dev.sluice.cli.rehearse.play;

import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.Ticket;
import dev.sluice.cli.rehearse.call.ExtraFields;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.internal.limiter.VirtualTimeFleet;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import java.util.List;
import java.util.Random;

/**
 * Plays the calls to several instances that count together, and compares with what one instance decided. Not
 * thread-safe.
 */
public final class FleetPlayer implements AutoCloseable {

    private static final String HEADER = "header:";
    private static final int MOST_COUNTERS = 10_000_000;

    private final VirtualClock clock = new VirtualClock();
    private final CallsUnderWay underWay = new CallsUnderWay(clock);
    private final Waits waits = new Waits();
    private final VirtualTimeFleet fleet;
    private final String deal;
    private final int instances;
    private final Random random = new Random(1);
    private int next;
    private boolean isHeaderSeen;
    private long refused;
    private long over;
    private long early;
    private long waiting;

    /**
     * What several instances that count together would have done.
     *
     * @param deal how calls were dealt to them
     * @param refused calls that they refused, or would have refused but for a dry run
     * @param over calls that they admitted and one instance would have refused
     * @param early calls that they refused and one instance would have admitted
     * @param waits calls that waited for the store
     */
    public record Result(int instances, String deal, long refused, long over, long early, long waits) {}

    /**
     * Starts the instances.
     *
     * @param deal how it deals the calls to them, as {@link #isDeal} says
     */
    public FleetPlayer(Limits limits, int instances, String deal) {
        this.instances = instances;
        this.deal = deal;
        this.fleet = new VirtualTimeFleet(
                limits, clock, new InMemoryCounterStore(clock, MOST_COUNTERS), instances, waits, underWay::endAhead);
    }

    /** Whether that is a way to deal calls: {@code in-turn}, {@code random}, {@code ip} or {@code header:NAME}. */
    public static boolean isDeal(String how) {
        return how.equals("in-turn")
                || how.equals("random")
                || how.equals("ip")
                || (how.startsWith(HEADER) && how.length() > HEADER.length());
    }

    /** Whether this way to deal calls reads that header of a log, in lower case with hyphens. */
    public static boolean readsHeader(String how, String header) {
        return how.startsWith(HEADER)
                && ExtraFields.headerName(how.substring(HEADER.length())).equals(HEADER + header);
    }

    /** Why the result would mislead; empty if it does not. */
    public String problem() {
        return !deal.startsWith(HEADER) || isHeaderSeen
                ? ""
                : "--deal " + deal + ": no call in the log has this header, so one instance would get all calls; write "
                        + "--deal in-turn, or add the header to the log's format";
    }

    /** Counts waits; one call may wait several times, once for each limit. */
    private static final class Waits implements RateLimitListener {

        private long waits;

        @Override
        public void onStoreWait(long waitedNanos) {
            waits++;
        }
    }

    /**
     * Makes the call.
     *
     * @param alone the decisions of a single instance
     */
    void play(LoggedCall call, List<Decision> alone) {
        passUntil(call.startMillis());
        long waitsBefore = waits.waits;
        Decision decision = fleet.decide(instance(call), call);
        waiting += waits.waits > waitsBefore ? 1 : 0;
        Ticket ticket = decision.ticket();
        if (ticket != null) {
            underWay.begin(ticket, call);
        }
        boolean isRefused = RefusalCount.isRefusal(decision);
        boolean isRefusedAlone = alone.stream().anyMatch(RefusalCount::isRefusal);
        refused += isRefused ? 1 : 0;
        over += !isRefused && isRefusedAlone ? 1 : 0;
        early += isRefused && !isRefusedAlone ? 1 : 0;
    }

    /** The instance that gets the call. */
    private int instance(LoggedCall call) {
        if (deal.equals("in-turn")) {
            next = (next + 1) % instances;
            return next;
        }
        if (deal.equals("random")) {
            return random.nextInt(instances);
        }
        String told = deal.equals("ip") ? call.ip() : call.header(deal.substring(HEADER.length()));
        isHeaderSeen |= told != null;
        int hash = told == null ? 0 : told.hashCode() * 0x9E3779B9;
        return Math.floorMod(hash ^ (hash >>> 15), instances);
    }

    /** How calls are dealt, for people. */
    private String dealt() {
        return switch (deal) {
            case "in-turn" -> "in turn";
            case "random" -> "at random";
            default -> "by " + deal;
        };
    }

    /** Moves the time on, and lets the instances exchange what is due. */
    private void passUntil(long moment) {
        if (clock.millis() == 0) {
            stepAt(moment);
        } else {
            fleet.pass(clock.millis(), moment, Long.MAX_VALUE, this::stepAt);
        }
    }

    private void stepAt(long moment) {
        underWay.endUntil(moment);
        clock.moveTo(moment);
        fleet.step();
    }

    Result result() {
        return new Result(instances, dealt(), refused, over, early, waiting);
    }

    @Override
    public void close() {
        fleet.close();
    }
}

package dev.sluice.limiter;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.Batch.Rule;
import dev.sluice.CounterKey;
import dev.sluice.Limit;
import dev.sluice.Sync;
import dev.sluice.Together.OnFailure;
import dev.sluice.algorithm.TakeAhead;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * This instance's account of one shared window. Calls take from the window's permits and know nothing of this; the one thread
 * that exchanges with the store keeps the account.
 *
 * <p>The store's total holds what was granted to instances and what they spent beyond it. Ours of that is {@code credited}.
 * {@code lent} are permits that calls may use before the store has been heard: the slack, or more while it is away. Together they
 * are all permits that were ever put into the window, so what calls have used is {@code credited + lent - permits left}. From
 * that, three things follow: used beyond the credit is a debt, to be reported; credit beyond the use is a share in hand; and a
 * new total tells how much may be lent.
 */
final class Share implements Account {

    private static final long RUNS_LOW_MILLIS = 20;
    private static final int SELDOM = 3;
    /** The part of all calls that came here before is believed as if so much of the limit had been dealt out by it. */
    private static final double SUPPOSED = 0.05;

    private static final double LEAST_PART = 0.001;

    /** A call that has found its window just before the end is counted there, if it is not later than this. */
    private static final long LATE_CALLS_MILLIS = 100;

    final Window window;

    private final CounterKey key;
    private final Window.Shared shared;
    private final Sync sync;
    private final long most;
    private final double partBefore;

    private Terms terms;
    private long credited;
    private long lent;
    /** What of the last claim was a debt. */
    private long paying;
    /** What was used here while the store was away, and {@link #outlook} knows of. */
    private long reckoned;
    /** What was known of the whole fleet when the store was last heard. */
    private Outlook outlook;

    private boolean heard;
    private boolean absent;

    private long usedBefore;
    private long lookedAtMillis;
    private long askAgainMillis;
    private int asksInVain;
    private long regularlyMillis;

    Share(Window window, long nowMillis) {
        this(window, nowMillis, 1);
    }

    private Share(Window window, long nowMillis, double partBefore) {
        this.window = window;
        this.key = window.counter.key(window);
        this.shared = Objects.requireNonNull(window.shared, "a shared window");
        this.sync = window.counter.family.tier().sync();
        this.most = window.counter.most();
        this.terms = Terms.of(window);
        this.outlook = terms.unheard();
        this.partBefore = partBefore;
        this.lent = window.opening;
        this.lookedAtMillis = Math.max(nowMillis, window.start);
        this.askAgainMillis = lookedAtMillis;
    }

    @Override
    public CounterKey key() {
        return key;
    }

    /** The account of the window after this one: it knows already which part of the calls comes here. */
    Share followedBy(Window next, long nowMillis) {
        return new Share(next, nowMillis, part());
    }

    /**
     * What to ask of the store now, {@code null} if nothing. Permits to be returned are taken out of the window at once.
     *
     * @param rushed whether a call has asked for it, rather than the time come
     */
    @Nullable Claim claim(long nowMillis, boolean rushed) {
        long inHand = window.permits.number();
        learnRate(nowMillis, inHand, rushed);
        long held = credited - used(inHand);
        long debt = Math.max(0, -held);
        if (isSpent(debt, nowMillis) && held <= 0) {
            return claimWhereSpent(nowMillis, debt);
        }
        shared.due = false;
        if (window.counter.lacksPastOf(window)) {
            return debt > 0 ? claim(debt, 0, nowMillis) : null;
        }
        if (terms instanceof Terms.OfPlaces) {
            return claimPlaces(Math.max(0, held), debt, rushed, nowMillis);
        }
        TakeAhead ahead = ahead(nowMillis);
        long inReserve = Math.max(0, held) - shared.awaited.get();
        long surplus = ahead.surplus(inReserve);
        if (surplus > 0 && heard && !rushed) {
            return giveBack(surplus, nowMillis);
        }
        long wanted = ahead.wanted(inReserve);
        if (!heard || absent) {
            return claim(debt, heard ? wanted : Math.max(wanted, firstShare()), nowMillis);
        }
        long possible = Math.min(wanted, outlook.left(nowMillis));
        return debt == 0 && possible <= 0 ? null : claim(debt, Math.max(0, possible), nowMillis);
    }

    /**
     * Places come back, so there is no rate at which they go: some are kept ready beside those in use. What is held is claimed again each
     * time, or it would be lost.
     */
    private @Nullable Claim claimPlaces(long held, long debt, boolean rushed, long nowMillis) {
        long inUse = used(window.permits.number());
        long ready = inUse == 0 && !rushed ? 0 : 1 + inUse / 4;
        long wanted = Math.max(0, ready + shared.awaited.get() - held);
        if (held > 2 * ready && !rushed) {
            return giveBack(held - ready, nowMillis);
        }
        boolean nothing = credited + debt + wanted == 0 || (rushed && heard && debt + wanted == 0);
        return nothing ? null : claim(debt, wanted, nowMillis);
    }

    /** What to want before anything is known of the calls: as much as would be lent, but at least one. */
    private long firstShare() {
        return Math.max(sync.strict() ? 0 : 1, sync.slackOf(most));
    }

    private boolean isSpent(long debt, long nowMillis) {
        return heard && !absent && outlook.left(nowMillis) <= debt;
    }

    /**
     * A limit that is used up is asked about again only if calls were refused since, and ever more seldom: others may have returned
     * something. Until then the refused calls' note stands, so that no further one is made.
     */
    private @Nullable Claim claimWhereSpent(long nowMillis, long debt) {
        if (shared.due && nowMillis >= askAgainMillis) {
            shared.due = false;
            asksInVain = Math.min(asksInVain + 1, SELDOM);
            return claim(debt, 0, nowMillis);
        }
        if (terms.recovers()) {
            shared.due = false; // the next call that is refused may find something
        }
        return debt > 0 ? claim(debt, 0, nowMillis) : null;
    }

    /** What to ask of the store at the end of this account: debts are reported, the rest returned while it is of use to others. */
    @Nullable Claim settle(long nowMillis) {
        long held = credited - used(window.permits.number());
        if (held > 0) {
            return nowMillis < window.end || window.past != null ? giveBack(held, nowMillis) : null;
        }
        return held < 0 ? claim(-held, 0, nowMillis) : null;
    }

    /** Whether nothing is to be taken from the window any more, because its time is over or its counter retired. */
    boolean isOver(long nowMillis) {
        if (nowMillis >= window.end + LATE_CALLS_MILLIS) {
            window.permits.close();
        }
        return window.permits.isClosed();
    }

    /** Whether some call has not decided yet to keep what it holds. */
    boolean isSettling() {
        return window.permits.unsettled();
    }

    /** The store has been away: there is something to say at the next opportunity. */
    void comeSoon() {
        regularlyMillis = 0;
    }

    /** Whether the time between two exchanges is over. */
    boolean comesRegularly(long nowMillis) {
        if (nowMillis < regularlyMillis) {
            return false;
        }
        regularlyMillis = nowMillis + sync.every().toMillis() * 9 / 10;
        return true;
    }

    private @Nullable Claim giveBack(long permits, long nowMillis) {
        long returned = window.permits.drain(permits);
        credited -= returned;
        return returned == 0 ? null : claim(-returned, 0, nowMillis);
    }

    private Claim claim(long spent, long wanted, long nowMillis) {
        paying = Math.max(0, spent);
        long said = terms instanceof Terms.OfPlaces ? credited + paying : spent;
        return new Claim(key, said, wanted, 0, terms.rule(nowMillis));
    }

    /** The rule by which the store keeps this counter, and those of other frames. */
    Rule rule() {
        return terms.rule(window.start);
    }

    /** What has to be asked of frames that are over before anything can be wanted of this one. */
    List<Look> looks(long nowMillis) {
        return window.counter.framesLacking(window, nowMillis).stream()
                .map(start -> new Look(window.counter.keyAt(start), start, this))
                .toList();
    }

    /** The fleet has used so much of the frame that began then. */
    void learnPast(long start, long total, long nowMillis) {
        window.counter.learnFrame(start, total, nowMillis);
        if (terms instanceof Terms.OfFrame frame) {
            terms = frame.after(window.counter.framesBefore(window));
            if (!heard) {
                outlook = terms.unheard();
            }
        }
        hint(nowMillis);
    }

    @Override
    public void apply(Claim claim, Grant grant, long nowMillis) {
        long unheard = Math.min(paying, shared.unheard.get());
        shared.unheard.addAndGet(-unheard);
        credited += paying + grant.granted();
        lent -= paying - unheard;
        outlook = terms.outlook(grant);
        window.counter.learnFrame(window.start, grant.total(), nowMillis);
        window.deal(grant, outlook, nowMillis);
        heard = true;
        absent = false;
        reckoned = 0;
        lend(lendable(nowMillis));
        if (outlook.left(nowMillis) > 0) {
            shared.due = false;
            asksInVain = 0;
        }
        askAgainMillis = nowMillis + patienceMillis();
        hint(nowMillis);
    }

    /** The time to the next ask where all is used up: ever longer, but for places, which may be free at any moment. */
    private long patienceMillis() {
        long everyMillis = sync.every().toMillis();
        return terms instanceof Terms.OfPlaces ? everyMillis : (2 * everyMillis) << asksInVain;
    }

    /** The store is away: until it is heard again, so much may be used as the policy says. */
    void lendInAbsence(OnFailure policy, long nowMillis) {
        absent = true;
        long used = used(window.permits.number());
        long debt = Math.max(0, used - credited);
        window.counter.useFrame(window.start, used);
        if (terms.flowsBack() && debt > reckoned) {
            outlook = outlook.without(debt - reckoned, nowMillis);
            reckoned = debt;
        }
        lend(inAbsence(policy, reckoned + Math.max(0, outlook.left(nowMillis))));
        hint(nowMillis);
    }

    /** What a window may use in the absence of the store, given what is left as far as is known. */
    static long inAbsence(OnFailure policy, long left) {
        return switch (policy) {
            case LOCAL -> left;
            case ALLOW -> Limit.MAX_THRESHOLD;
            case DENY -> 0;
        };
    }

    /** The slack; less where the limit is near, nothing where it is used up. */
    private long lendable(long nowMillis) {
        long slack = sync.slackOf(most);
        return Math.max(0, Math.min(slack, (long) Math.ceil(outlook.left(nowMillis) * part())));
    }

    private void lend(long wanted) {
        if (wanted > lent) {
            window.permits.pour(wanted - lent);
            lent = wanted;
        } else if (wanted < lent) {
            // what is used of it is a debt and stays until it is paid
            long debt = Math.max(0, used(window.permits.number()) - credited);
            lent -= window.permits.drain(Math.max(0, lent - Math.max(wanted, debt)));
        }
    }

    private void hint(long nowMillis) {
        boolean hopeful = !absent && (outlook.left(nowMillis) > 0 || !heard);
        long low = Math.max(1, (long) Math.ceil(rate() * RUNS_LOW_MILLIS));
        shared.tell(outlook, lent, absent);
        shared.inUse = terms instanceof Terms.OfPlaces && used(window.permits.number()) > 0;
        shared.lowWater =
                hopeful ? lent + Math.min(low, Math.max(1, ahead(nowMillis).share() / 2)) : 0;
        shared.tellNews();
    }

    private void learnRate(long nowMillis, long inHand, boolean rushed) {
        long used = used(inHand);
        long elapsed = nowMillis - lookedAtMillis;
        if (elapsed <= 0 || (inHand == 0 && used == usedBefore)) {
            return;
        }
        long admitted = Math.max(0, used - usedBefore);
        window.counter.rate = rushed || inHand == 0
                ? TakeAhead.rateOfRush(rate(), admitted, elapsed)
                : TakeAhead.rate(rate(), admitted, elapsed, 2 * sync.every().toMillis());
        usedBefore = used;
        lookedAtMillis = nowMillis;
    }

    /** What calls are to be expected, and how much there is for them; none where each call is to ask for itself. */
    private TakeAhead ahead(long nowMillis) {
        long everyMillis = sync.every().toMillis();
        long untilEnd = Math.max(0, window.end - Math.max(nowMillis, window.start));
        return new TakeAhead(
                sync.strict() ? 0 : rate(),
                everyMillis,
                untilEnd,
                Math.max(0, outlook.left(nowMillis) + terms.flowsIn(Math.min(everyMillis, untilEnd))),
                part());
    }

    /** The part of all calls that comes here, as far as can be seen: what came here before counts until there is more to go by. */
    private double part() {
        double supposed = SUPPOSED * most;
        double total = terms.recovers() ? 2.0 * Math.max(0, credited) : most - outlook.left(0);
        double part = (Math.max(0, credited) + supposed * partBefore) / (Math.max(0, total) + supposed);
        return Math.max(LEAST_PART, Math.min(1, part));
    }

    private double rate() {
        return window.counter.rate;
    }

    private long used(long inHand) {
        return credited + lent - inHand + shared.unheard.get();
    }
}

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
import org.jspecify.annotations.Nullable;

/**
 * This instance's share of one shared window: what to ask of the store for it, and what its answers mean. Calls take from the window's
 * permits and know nothing of this; the one thread that exchanges with the store sees to it. {@link Balance} has the sums.
 */
final class Share implements Account {

    /** A call that has found its window just before the end is counted there, if it is not later than this. */
    private static final long LATE_CALLS_MILLIS = 100;

    /** So long after a window has ended to matter, nobody asks for it any more, so nothing is reported of it either. */
    private static final long LATE_REPORTS_MILLIS = 2_000;

    final Window window;

    private final CounterKey key;
    private final Window.Shared shared;
    private final Sync sync;
    private final long most;

    private final Demand demand;
    private final Balance balance;
    private final Patience patience;

    private Terms terms;
    /** What was used here while the store was away, and {@link #outlook} knows of. */
    private long reckoned;
    /** What was known of the whole fleet when the store was last heard. */
    private Outlook outlook;

    private boolean absent;

    /** Whether nothing is asked for it any more. */
    boolean isClosed;

    Share(Window window, long nowMillis) {
        this.window = window;
        this.key = window.counter.key(window);
        this.shared = window.shared();
        this.sync = window.counter.family.tier.sync();
        this.most = window.counter.most();
        this.terms = termsAfterWhatIsKnown(window);
        this.outlook = terms.unheard();
        long sinceMillis = Math.max(nowMillis, window.start);
        this.demand = new Demand(window.counter.family.tier, window.counter.habits(), sinceMillis);
        this.balance = new Balance(window);
        this.patience = new Patience(sync.every().toMillis(), terms instanceof Terms.OfPlaces, sinceMillis);
    }

    /** What the frames before weigh may have been heard before this one began; then it is not asked for again. */
    private static Terms termsAfterWhatIsKnown(Window window) {
        Terms terms = Terms.of(window);
        return terms instanceof Terms.OfFrame frame ? frame.after(window.counter.framesBefore(window)) : terms;
    }

    @Override
    public CounterKey key() {
        return key;
    }

    /**
     * Whether there is anything to ask the store about. A window that was opened by a call that another tier refused is none of its
     * business, so made-up names that are refused leave nothing there.
     */
    boolean isTouched() {
        return shared.heard || shared.due || demand.isAny() || balance.used() > 0 || shared.awaited.get() > 0;
    }

    /**
     * What to ask of the store now, {@code null} if nothing. Permits to be returned are taken out of the window at once.
     *
     * @param rushed whether a call has asked for it, rather than the time come
     */
    @Nullable Claim claim(long nowMillis, boolean rushed) {
        demand.learn(balance.used(), window.permits.number(), rushed, nowMillis);
        boolean asked = shared.due;
        shared.due = false; // before the balance is read: a call that changes it from now on leaves a note again
        long held = balance.held();
        long debt = Math.max(0, -held);
        if (isSpent(debt, nowMillis) && held <= 0) {
            return claimWhereSpent(nowMillis, debt, asked);
        }
        if (window.counter.lacksPastOf(window)) {
            return debt > 0 ? claim(debt, 0, nowMillis) : null;
        }
        if (terms instanceof Terms.OfPlaces places) {
            return claimPlaces(places, Math.max(0, held), debt, rushed, nowMillis);
        }
        TakeAhead ahead = ahead(nowMillis);
        long inReserve = Math.max(0, held) - shared.awaited.get();
        long surplus = ahead.surplus(inReserve);
        if (surplus > 0 && shared.heard && !rushed) {
            return giveBack(surplus, nowMillis);
        }
        long wanted = ahead.wanted(inReserve);
        if (!shared.heard || absent) {
            return claim(debt, shared.heard ? wanted : Math.max(wanted, demand.firstShare()), nowMillis);
        }
        long possible = Math.min(wanted, outlook.left(nowMillis));
        return debt == 0 && possible <= 0 ? null : claim(debt, Math.max(0, possible), nowMillis);
    }

    /** What is held is claimed again each time, or it would be lost. */
    private @Nullable Claim claimPlaces(Terms.OfPlaces places, long held, long debt, boolean rushed, long nowMillis) {
        long ready = sync.strict() ? 0 : places.ready(balance.used(), rushed);
        long wanted = Math.max(0, ready + shared.awaited.get() - held);
        if (held > 2 * ready && !rushed) {
            return giveBack(held - ready, nowMillis);
        }
        boolean nothing = balance.credited() + debt + wanted == 0 || (rushed && shared.heard && debt + wanted == 0);
        return nothing ? null : claim(debt, wanted, nowMillis);
    }

    private long periodMillis() {
        return window.counter.family.tier.limit().period().toMillis();
    }

    private boolean isSpent(long debt, long nowMillis) {
        return shared.heard && !absent && outlook.left(nowMillis) <= debt;
    }

    /**
     * A limit that is used up is asked about again only if calls were refused since, and ever more seldom: others may have returned
     * something. Until then the refused calls' note stands, so that no further one is made.
     */
    private @Nullable Claim claimWhereSpent(long nowMillis, long debt, boolean asked) {
        if (asked && patience.asksInVain(nowMillis)) {
            return claim(debt, 0, nowMillis);
        }
        if (asked && !terms.recovers()) { // otherwise the next call that is refused may find something
            shared.due = true;
        }
        return debt > 0 ? claim(debt, 0, nowMillis) : null;
    }

    /** What to ask of the store at the end of this account: debts are reported, the rest returned while it is of use to others. */
    @Nullable Claim settle(long nowMillis) {
        if (isMoot(nowMillis)) {
            return null;
        }
        long held = balance.held();
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

    /** Whether no call takes or returns anything any more. */
    boolean isGone() {
        return window.permits.isClosed() && !isSettling();
    }

    /** Whether this account is of no use to anybody any more: its time is long over, or all of the limit is there again. */
    boolean isMoot(long nowMillis) {
        if (!isOver(nowMillis) || isSettling()) {
            return false;
        }
        return window.end == Window.FOR_EVER
                ? absent && balance.debt() <= reckoned && outlook.resetMillis(nowMillis) == 0
                : nowMillis > window.end + (window.past == null ? 0 : periodMillis()) + LATE_REPORTS_MILLIS;
    }

    /** What was used here and the store does not know of. */
    long debt() {
        return balance.debt();
    }

    /** The store has been away: there is something to say at the next opportunity. */
    void comeSoon() {
        patience.comeSoon();
    }

    /** Whether the time between two exchanges is over. */
    boolean comesRegularly(long nowMillis) {
        return patience.comesRegularly(nowMillis);
    }

    private @Nullable Claim giveBack(long permits, long nowMillis) {
        long returned = balance.giveBack(permits);
        return returned == 0 ? null : claim(-returned, 0, nowMillis);
    }

    private Claim claim(long spent, long wanted, long nowMillis) {
        long counted = balance.report(Math.max(0, spent));
        long said = terms instanceof Terms.OfPlaces ? counted : spent;
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
            if (!shared.heard) {
                outlook = terms.unheard();
            }
        }
        hint(nowMillis);
    }

    @Override
    public void apply(Claim claim, Grant grant, long nowMillis) {
        balance.settle(grant.granted());
        outlook = terms.outlook(grant);
        window.counter.learnFrame(window.start, grant.total(), nowMillis);
        window.deal(grant, outlook, nowMillis);
        shared.heard = true;
        absent = false;
        reckoned = 0;
        balance.lend(lendable(nowMillis));
        if (!terms.recovers()) {
            demand.remember(part());
        }
        boolean left = outlook.left(nowMillis) > 0;
        if (left) {
            shared.due = false;
        }
        patience.heard(left, nowMillis);
        hint(nowMillis);
    }

    /** The store is away: until it is heard again, so much may be used as the policy says. */
    void lendInAbsence(OnFailure policy, long nowMillis) {
        absent = true;
        long debt = balance.debt();
        window.counter.useFrame(window.start, balance.used());
        if (outlook instanceof Outlook.Flowing flowing && debt > reckoned) {
            outlook = flowing.without(debt - reckoned, nowMillis);
            reckoned = debt;
        }
        balance.lend(inAbsence(policy, reckoned + Math.max(0, outlook.left(nowMillis))));
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

    private void hint(long nowMillis) {
        boolean hopeful = !absent && (outlook.left(nowMillis) > 0 || !shared.heard);
        shared.tell(outlook, balance.lent(), absent);
        shared.inUse = terms instanceof Terms.OfPlaces && balance.used() > 0;
        shared.lowWater =
                hopeful ? balance.lent() + demand.lowWater(ahead(nowMillis).share()) : 0;
        shared.tellNews();
    }

    /** What calls are to be expected, and how much there is for them. */
    private TakeAhead ahead(long nowMillis) {
        long untilEnd = Math.max(0, window.end - Math.max(nowMillis, window.start));
        long flowsIn = terms.flowsIn(Math.min(sync.every().toMillis(), untilEnd));
        return demand.ahead(untilEnd, outlook.left(nowMillis) + flowsIn, part());
    }

    /** Of what recovers the store tells no total; as much again as here is supposed elsewhere. */
    private double part() {
        long ours = Math.max(0, balance.credited());
        return demand.part(ours, terms.recovers() ? 2 * ours : most - outlook.left(0));
    }
}

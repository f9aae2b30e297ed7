package dev.sluice.internal.limiter.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.rule.SharedLimit;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.limiter.rule.Slack;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Outlook;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays what happens to one account, and checks what the account makes of it. It does what an entry of the ledger does,
 * but numbers stand in for the pool, and the clock is set by hand. The window begins at 0, and an interval has 1,000
 * ms:
 *
 * <pre>
 *   holding(window(100), 10).at(5).uses(3).at(745).ticks().isDue(RETURN).statements("used 3 for RETURN");
 * </pre>
 */
final class Timeline {

    static final long EVERY = 1_000;
    static final Sync USUAL = new Sync(Duration.ofMillis(EVERY), 0, false);
    static final Sync STRICT = new Sync(Duration.ofMillis(EVERY), 0, true);
    /** A slack of a tenth. */
    static final Sync SLACK = new Sync(Duration.ofMillis(EVERY), 0.1, false);

    /** The time 0 by the store's clock: a full hour. */
    static final long START = 1_627_318_800_000L;

    private static final OwnUse NOTHING_USED = new OwnUse(List.of(), List.of(), 0);

    private Account account;
    private Moment now = moment(0);

    // The pool
    private long added;
    private long inHand;
    private long overdrawn;
    private boolean isClosed;
    private boolean isUndecided;
    private boolean hadFreeCalls;
    private long waiting;
    private boolean passAlone = true;
    private List<Calls> times = new ArrayList<>();

    private @Nullable Statement lastApplied;

    private Timeline(Terms terms) {
        var usage = terms.limit().initialUsage(List.of(0L, 0L, 0L, 0L));
        this.added = terms.slack().atFirst(usage, false, 1, START);
        this.inHand = added;
        List<Subject> subjects = List.of(new Subject("tenant", "ip", "x"));
        Knowledge known =
                Knowledge.opened(usage, false, new SharedSnapshot(Mode.NEW, usage, added, added, Outlook.plain(false)));
        this.account = new Account(
                subjects,
                terms,
                Stage.IDLE,
                known,
                new Books(added, 0, 0, 0, Uses.NONE),
                Waits.NONE,
                Pace.opened(null, now),
                null,
                null,
                now.nanos());
    }

    static Moment moment(long millis) {
        return new Moment(millis * 1_000_000, START + millis);
    }

    /** A fixed window of ten minutes. */
    static Limit window(long threshold) {
        return new Limit.FixedWindow(threshold, Duration.ofMinutes(10));
    }

    static Terms terms(Limit limit, Sync sync) {
        Tier tier = new Tier("t", limit, sync);
        Windows windows = limit.windows();
        boolean hasWindows = windows != null;
        long start = hasWindows ? START : 0;
        long end = windows != null ? windows.endAt(START) : SharedPool.FOR_EVER;
        SharedLimit shared = SharedLimits.of(tier, start, end);
        return new Terms(
                shared,
                limit instanceof Limit.Concurrency,
                tier.sync().strict(),
                EVERY,
                new Slack(tier.sync().slackOf(tier.most()), tier.most(), start, end),
                start,
                end,
                new CounterKey("e", "*", "t", List.of(), start, hasWindows ? end : 0));
    }

    // ---- How it begins

    /** A new account, which the store has not answered for, and which no call has used. */
    static Timeline idle(Limit limit, Sync sync) {
        return new Timeline(terms(limit, sync));
    }

    /** A new account, which a call is about to use. */
    static Timeline opened(Limit limit, Sync sync) {
        return idle(limit, sync).enters(Stage.ACTIVE);
    }

    static Timeline opened(Limit limit) {
        return opened(limit, USUAL);
    }

    /** An account that holds this number of granted permits; no other instance uses any. */
    static Timeline holding(Limit limit, long permits) {
        return opened(limit).statements("nothing for RETURN").isGranted(permits, 0);
    }

    // ---- Time, and calls

    Timeline at(long millis) {
        now = moment(millis);
        return this;
    }

    Timeline uses(long permits) {
        assertThat(permits).as("permits in hand").isLessThanOrEqualTo(inHand);
        return moves(-permits);
    }

    /** Calls give back what they took. */
    Timeline givesBack(long permits) {
        return moves(permits);
    }

    private Timeline moves(long permits) {
        inHand += permits;
        times.add(new Calls(now.millis(), -permits));
        return this;
    }

    /** Calls are charged afterwards: what is in hand, and the rest in excess. */
    Timeline charges(long permits) {
        long drained = Math.min(inHand, permits);
        inHand -= drained;
        overdrawn += permits - drained;
        times.add(new Calls(now.millis(), permits));
        return this;
    }

    /** A call passes that is charged afterwards. */
    Timeline passesFree() {
        hadFreeCalls = true;
        return this;
    }

    /** Calls wait for this number of permits. */
    Timeline needs(long permits) {
        waiting = permits;
        return this;
    }

    /** Calls wait for this number of permits, and need another limit too. */
    Timeline needsWithOthers(long permits) {
        passAlone = false;
        return needs(permits);
    }

    Timeline needsNoMore() {
        waiting = 0;
        return this;
    }

    Timeline closes() {
        isClosed = true;
        return this;
    }

    /** A call of the closed pool has yet to keep or release what it took. */
    Timeline isUndecided(boolean next) {
        isUndecided = next;
        return this;
    }

    // ---- Looks at the account

    /** A call has requested a check. */
    Timeline isChecked() {
        SharedSnapshot known = account.snapshot(now);
        long left = known.usage().left(now.millis());
        boolean isOverdrawn =
                overdrawn > 0 && overdrawn >= left && left + known.outlook().elsewhere() > 0;
        return is(account.called(totals(), left() < known.lowWater(), isOverdrawn, now));
    }

    Timeline ticks() {
        return ticks(false);
    }

    Timeline endsInterval() {
        return ticks(true);
    }

    private Timeline ticks(boolean intervalEnds) {
        return is(account.ticked(totals(), forgetFreeCalls(), intervalEnds, now));
    }

    /** A batch is sent for another account. */
    Timeline isExchangedAnyway() {
        return is(account.exchanging(totals(), now));
    }

    Timeline happens(UnaryOperator<Account> event) {
        return is(event.apply(account));
    }

    Timeline enters(Stage stage) {
        return is(account.entering(stage));
    }

    Timeline owes(Why why) {
        return is(account.owes(why, now));
    }

    // ---- Statements and answers

    /**
     * Makes the statement that is due, such as {@code used 3, held 7, needed 1, wanted 12 for LOW}; what is 0 is left
     * out.
     */
    Timeline statements(String expected) {
        makeStatement();
        assertThat(account.outstanding()).as("a statement").isNotNull();
        assertThat(text(made())).isEqualTo(expected);
        return this;
    }

    Timeline statesNothing() {
        makeStatement();
        assertThat(account.outstanding()).as("no statement").isNull();
        assertThat(account.owed()).isNull();
        return this;
    }

    private void makeStatement() {
        Due due = account.due();
        boolean isRegular = (due == null || !due.why().isUrgent) && waiting == 0;
        Need needed = Need.NONE;
        if (waiting > 0) {
            is(account.waits(now));
        }
        if (isClosed) {
            takeOut(inHand);
        } else {
            is(account.updated(totals(), forgetFreeCalls(), now));
            long surplus = account.surplus(totals(), isRegular, now);
            if (surplus > 0 && account.known().isUsedUp()) {
                is(account.returnsPermits());
            }
            takeOut(surplus);
            needed = waiting == 0 ? needed : new Need(waiting, 1, passAlone);
        }
        if (account.terms().isTimed()) {
            is(account.timed(times, now));
        }
        times = new ArrayList<>();
        is(account.stated(totals(), needed, now));
    }

    private String text(Outstanding outstanding) {
        Statement statement = outstanding.statement();
        StringJoiner parts = new StringJoiner(", ").setEmptyValue("nothing");
        if (account.terms().isTimed() && !statement.uses().isEmpty()) {
            parts.add("used " + statement.uses().stream().map(Timeline::text).collect(Collectors.joining(" and ")));
        } else {
            add(parts, "used", statement.used());
        }
        add(parts, "occupied", statement.rule() instanceof Rule.Slots slots ? slots.inUse() : 0);
        add(parts, "held", statement.held());
        add(parts, "needed", statement.needed().all());
        add(parts, "wanted", statement.wanted());
        return parts + " for " + outstanding.why();
    }

    private static void add(StringJoiner parts, String name, long figure) {
        if (figure != 0) {
            parts.add(name + " " + figure);
        }
    }

    private static String text(Use use) {
        return use.count() + " " + use.agoMillis() + " ms ago";
    }

    /**
     * The store applied the statement in flight. Nothing but what is granted is in use, and this much is held
     * elsewhere.
     */
    Timeline isGranted(long permits, long elsewhere) {
        Statement statement = made().statement();
        long inUse = statement.rule() instanceof Rule.Slots slots ? slots.inUse() : statement.used();
        return isAnswered(inUse + statement.held() + permits + elsewhere, permits, elsewhere);
    }

    /** The store applied the statement in flight; {@code total} counts what is used and held. */
    Timeline isAnswered(long total, long granted, long elsewhere) {
        return isAnswered(new Grant(total, granted, elsewhere, List.of(0L, 0L, 0L, 0L)));
    }

    Timeline isAnswered(Grant grant) {
        Outstanding made = made();
        boolean wasOutdated = account.known().usedUp().isOutdated();
        added += made.overdrawn();
        overdrawn -= made.overdrawn();
        long taken = Math.min(waiting, made.statement().needed().usedOf(grant.granted()));
        waiting -= taken;
        if (taken > 0) {
            times.add(new Calls(now.millis(), taken));
        }
        added += grant.granted();
        inHand += grant.granted() - taken;
        is(account.afterGrant(made, grant, now.millis(), now));
        lastApplied = made.statement();
        is(account.updated(totals(), forgetFreeCalls(), now));
        allow(account.known().slack(account.terms(), account.books().ungranted(), 1, now));
        boolean recalls = waiting > 0 && grant.needsRecall(made.statement());
        if (grant.isShortOf(made.statement()) && !recalls && !wasOutdated) {
            waiting = 0; // they are refused
        }
        is(account.served(waiting > 0, recalls, now));
        return account.books().owesRefund(account.terms(), totals()) ? owes(Why.REFUND) : this;
    }

    /** The statement in flight will not be applied. */
    Timeline isGivenUp() {
        return is(account.givenUp(now));
    }

    /**
     * The store applied the statement in flight then, but nothing that it granted can be used any more.
     *
     * @param usedAtOnce what the store has recorded as used by calls that waited
     */
    Timeline isAppliedInVain(long usedAtOnce, long appliedAt) {
        Outstanding made = made();
        added += made.overdrawn();
        overdrawn -= made.overdrawn();
        return is(account.appliedInVain(made, usedAtOnce, moment(appliedAt).millis(), now));
    }

    /** The store has lost all. */
    Timeline isLost() {
        return is(account.lost(null, 0, now));
    }

    /** The store has lost the last statement that it applied. */
    Timeline losesLastStatement(long sentAt) {
        return is(
                account.lost(Objects.requireNonNull(lastApplied), moment(sentAt).millis(), now));
    }

    // ---- News, and a store that is unavailable

    Timeline hearsRecalled() {
        return is(account.recalled(now));
    }

    Timeline hearsFreed() {
        return is(account.freed(now));
    }

    /** How many permits {@code onFailure: local} allows without a grant to calls that need this number. */
    long allowedWithoutStore(long needed) {
        return account.known()
                .allowedWithoutStore(
                        unavailable(OnFailure.LOCAL), account.books().unrecorded(totals()), needed, now);
    }

    private static Outage unavailable(OnFailure policy) {
        return new Outage(policy, Fleet.assumed(1), START, false);
    }

    /** The store is unavailable for one of three instances, whose part is a third of each limit. */
    static Outage unavailableForThree() {
        return unavailableFor(3);
    }

    /** The store is unavailable for the first of so many instances. */
    static Outage unavailableFor(int instances) {
        return new Outage(OnFailure.SHARE, new Fleet(instances, 0), START, false);
    }

    /** The store has been unavailable for three instances since that time. */
    static Outage unavailableSince(long millis) {
        return new Outage(OnFailure.SHARE, new Fleet(3, 0), START + millis, false);
    }

    /** The store answers one of three instances, and the others may not have reported yet. */
    Timeline findsStoreBeforeOthers() {
        return losesStore(Objects.requireNonNull(unavailableForThree().over()));
    }

    Timeline losesStore(OnFailure policy) {
        return losesStore(unavailable(policy));
    }

    Timeline losesStore(Outage outage) {
        long unrecorded = account.books().unrecorded(totals());
        is(account.withoutStore(outage, NOTHING_USED, unrecorded, now));
        allow(account.known().allowedWithoutStore(outage, unrecorded, Long.MAX_VALUE, now));
        return this;
    }

    /**
     * The limit was changed while the store is unavailable for one of three instances: this account goes on where that
     * one ended.
     */
    Timeline continues(Timeline before) {
        long unrecorded = before.account.books().unrecorded(before.totals());
        return happens(next -> next.continuing(before.account, unavailableForThree(), NOTHING_USED, unrecorded, now));
    }

    Timeline findsStore() {
        is(account.withStore());
        allow(account.known().slack(account.terms(), account.books().ungranted(), 1, now));
        return this;
    }

    // ---- What is expected

    Timeline isDue(Why why) {
        return isDueAt(now.millis() - START, why);
    }

    /** Checks that a statement is due, since then. */
    Timeline isDueAt(long millis, Why why) {
        assertThat(account.due()).isEqualTo(new Due(millis * 1_000_000, why));
        return this;
    }

    Timeline nothingIsDue() {
        assertThat(account.due()).isNull();
        return this;
    }

    /** Checks what follows from the account. */
    <T> Timeline expect(Function<Account, T> figure, T expected) {
        assertThat(figure.apply(account)).isEqualTo(expected);
        return this;
    }

    /** Checks what calls may know. */
    <T> Timeline tells(Function<SharedSnapshot, T> figure, T expected) {
        return expect(known -> figure.apply(known.snapshot(now)), expected);
    }

    /** Checks whether calls are refused at once until then, and no longer; 0 for not at all. */
    Timeline isUsedUpUntil(long millis) {
        long until = millis == 0 ? 0 : START + millis;
        return tells(known -> known.outlook().usedUpUntilMillis(), until);
    }

    /** Checks that calls are refused at once until there is news. */
    Timeline isUsedUp() {
        return tells(known -> known.outlook().usedUpUntilMillis(), Long.MAX_VALUE);
    }

    Timeline isNotUsedUp() {
        return isUsedUpUntil(0);
    }

    Timeline inHand(long permits) {
        assertThat(inHand).isEqualTo(permits);
        return this;
    }

    Timeline isQuiet(boolean expected) {
        return expect(last -> last.isQuiet(totals(), now), expected);
    }

    Timeline isDone(boolean expected) {
        return expect(last -> last.isDone(totals(), now), expected);
    }

    Timeline isWorthReopening(boolean expected) {
        return expect(last -> last.isWorthReopening(totals(), now), expected);
    }

    // ---- The pool

    Account account() {
        return account;
    }

    Outstanding made() {
        return Objects.requireNonNull(account.outstanding());
    }

    Totals totals() {
        long used = added - inHand + overdrawn;
        long occupied = account.terms().isConcurrency() ? used : 0;
        return new Totals(used, inHand, overdrawn, occupied, isClosed, isUndecided, waiting > 0, false);
    }

    private long left() {
        return isClosed ? 0 : inHand;
    }

    private Timeline is(Account next) {
        account = next;
        return this;
    }

    private boolean forgetFreeCalls() {
        boolean had = hadFreeCalls;
        hadFreeCalls = false;
        return had;
    }

    private long takeOut(long permits) {
        long taken = Math.min(permits, inHand);
        inHand -= taken;
        added -= taken;
        return taken;
    }

    private void allow(long ungranted) {
        long more = ungranted - account.books().ungranted();
        if (more > 0) {
            added += more;
            inHand += more;
            is(account.allowed(more));
        } else {
            long unspent = Math.min(account.books().ungranted(), inHand);
            is(account.allowed(-takeOut(Math.min(-more, unspent))));
        }
    }
}

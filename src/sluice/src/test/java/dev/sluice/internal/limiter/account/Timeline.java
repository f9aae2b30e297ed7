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
import dev.sluice.internal.limiter.account.Effects.Line;
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
    /** What the store has recorded as used at once by calls that waited. */
    private long usedAtOnce;

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
                Books.opened(added, 0),
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
        return happens(new Event.Call(left() < known.lowWater(), isOverdrawn));
    }

    Timeline ticks() {
        return ticks(false);
    }

    Timeline endsInterval() {
        return ticks(true);
    }

    private Timeline ticks(boolean intervalEnds) {
        return happens(new Event.Tick(intervalEnds, forgetFreeCalls()));
    }

    /** A batch is sent for another account. */
    Timeline isExchangedAnyway() {
        return happens(new Event.JoinBatch());
    }

    /** Something happens; what follows is carried out as the ledger would. */
    Timeline happens(Event event) {
        Account.Step step = event.on(account, totals(), now);
        Effects effects = step.effects();
        account = step.account();
        if (effects.reported() != null) {
            added += effects.reported().overdrawn();
            overdrawn -= effects.reported().overdrawn();
        }
        if (effects.granted() != null) {
            added += effects.granted().granted();
            inHand += effects.granted().granted();
        }
        if (effects.ungranted() > 0) {
            added += effects.ungranted();
            inHand += effects.ungranted();
        } else {
            account = step.afterWithdrawing(takeOut(-effects.ungranted()));
        }
        takeOut(effects.returned());
        if (effects.granted() != null) {
            waitingCallsTake(Math.min(waiting, usedAtOnce));
        }
        if (effects.line() == Line.IS_DECIDED_AS_SHORT || event instanceof Event.EndWaits) {
            waiting = 0; // they are refused
        }
        return effects.asksAgain() || effects.line() != Line.STAYS ? happens(new Event.Serve()) : this;
    }

    private void waitingCallsTake(long permits) {
        waiting -= permits;
        inHand -= permits;
        if (permits > 0) {
            times.add(new Calls(now.millis(), permits));
        }
    }

    Timeline enters(Stage stage) {
        account = Situations.in(account, stage);
        return this;
    }

    Timeline owes(Why why) {
        account = account.owes(why, now);
        return this;
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

    /** A statement is in flight, unless one was already, whether there is something to say or not. */
    Timeline hasStatementInFlight() {
        if (account.outstanding() == null) {
            Totals oneUsed = new Totals(1, 0, 0, 0, false, false, false, false, 1);
            account = new Event.State(Need.NONE, List.of(), false)
                    .on(account, oneUsed, moment(2_000))
                    .account();
        }
        return this;
    }

    Timeline statesNothing() {
        makeStatement();
        assertThat(account.outstanding()).as("no statement").isNull();
        assertThat(account.owed()).isNull();
        return this;
    }

    private void makeStatement() {
        happens(new Event.Prepare(waiting == 0, forgetFreeCalls()));
        Need needed = waiting == 0 || isClosed ? Need.NONE : new Need(waiting, 1, passAlone);
        List<Calls> made = times;
        times = new ArrayList<>();
        happens(new Event.State(needed, made, forgetFreeCalls()));
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
        lastApplied = made().statement();
        usedAtOnce = lastApplied.needed().usedOf(grant.granted());
        return happens(new Event.Receive(grant, now.millis(), forgetFreeCalls()));
    }

    /** The statement in flight will not be applied. */
    Timeline isGivenUp() {
        return happens(new Event.GiveUp());
    }

    /**
     * The store applied the statement in flight then, but nothing that it granted can be used any more.
     *
     * @param used what the store has recorded as used by calls that waited
     */
    Timeline isAppliedInVain(long used, long appliedAt) {
        return happens(new Event.ReceiveTooLate(used, moment(appliedAt).millis()));
    }

    /** The store has lost all. */
    Timeline isLost() {
        return happens(new Event.Lose(null, 0));
    }

    /** The store has lost the last statement that it applied. */
    Timeline losesLastStatement(long sentAt) {
        return happens(new Event.Lose(
                Objects.requireNonNull(lastApplied), moment(sentAt).millis()));
    }

    // ---- News, and a store that is unavailable

    Timeline hearsRecalled() {
        return happens(new Event.HearRecall());
    }

    Timeline hearsGiven() {
        return happens(new Event.HearGiven());
    }

    Timeline hearsFreed() {
        return happens(new Event.HearFreed());
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

    /** All calls have waited too long; the policy decides if the store has not answered. Nobody waits afterwards. */
    Timeline endsWaits(OnFailure policy) {
        long needed = waiting;
        Event end = new Event.EndWaits(
                now.nanos(), now.nanos(), unavailable(policy), NOTHING_USED, needed, forgetFreeCalls());
        return happens(end);
    }

    Timeline losesStore(OnFailure policy) {
        return losesStore(unavailable(policy));
    }

    Timeline losesStore(Outage outage) {
        return happens(new Event.DecideAlone(outage, NOTHING_USED, Long.MAX_VALUE, false, forgetFreeCalls()));
    }

    /**
     * The limit was changed while the store is unavailable for one of three instances: this account goes on where that
     * one ended.
     */
    Timeline continues(Timeline before) {
        long unrecorded = before.account.books().unrecorded(before.totals());
        return happens(new Event.Continue(before.account, unavailableForThree(), NOTHING_USED, unrecorded));
    }

    Timeline findsStore() {
        return happens(new Event.DecideWithStore());
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
        return new Totals(used, inHand, overdrawn, occupied, isClosed, isUndecided, waiting > 0, false, 1);
    }

    private long left() {
        return isClosed ? 0 : inHand;
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
}

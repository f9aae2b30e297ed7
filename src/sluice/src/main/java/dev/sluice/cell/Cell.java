package dev.sluice.cell;

import dev.sluice.CounterKey;
import dev.sluice.cell.CellState.Holding;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.cell.StoreProtocol;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One shared counter: the permits that calls have used, and the permits that instances hold. A store that counts in
 * Java has one cell per {@link CounterKey}, and applies each statement of a batch to the matching cell:
 *
 * <pre>{@code
 * Cell cell = cells.computeIfAbsent(statement.key(), key -> Cells.of(statement.rule()));
 * Grant grant = cell.apply(batch, statement, framesBefore, news, nowMillis);
 * }</pre>
 *
 * <p>If an instance is still unresponsive when its lease ends, it might have used the permits that it held. From then
 * on, the cell counts those permits as used. When the instance reports again, the cell replaces this number with the
 * actual usage. No permit is therefore granted twice, even if instances die or freeze. Slots are the exception: they
 * become free when their lease ends.
 *
 * <p>Not thread-safe: a store must apply one statement at a time. Arguments must not be {@code null}. A cell never
 * reads a clock.
 */
public abstract sealed class Cell permits TotalCell, BucketCell, LogCell, SlotsCell {

    /** The time at which the cell expires, unless it receives another statement. Stores are allowed to round it up. */
    long expiresAtMillis;

    /** The permits that each instance holds. The instance whose last statement is oldest comes first. */
    private final Map<String, Holding> holdings = new LinkedHashMap<>();

    private final LapsedLeases lapsed = new LapsedLeases();
    /** The waiting instances. Empty unless instances hold permits of this counter or of an earlier frame. */
    private final WaitingInstances waiting = new WaitingInstances();

    private boolean usedUp;

    /** Restores everything except the contents of the cell. */
    final void restore(CellState state) {
        state.holdings().forEach(holding -> holdings.put(holding.instance(), holding));
        lapsed.restore(state.lapsed());
        waiting.restore(state.waiting());
        expiresAtMillis = state.expiresAtMillis();
        usedUp = state.usedUp();
    }

    /** The state of this cell, for storing it. {@link Cells#of(CellState)} restores the cell. */
    public final CellState state() {
        List<Holding> held = List.copyOf(holdings.values());
        return new CellState(contents(), held, lapsed.all(), waiting.all(), expiresAtMillis, usedUp);
    }

    /** The time after which a store can delete the cell if the cell receives no further statements. */
    public final long expiresAtMillis() {
        return expiresAtMillis;
    }

    /**
     * Whether this cell can count by the given rule. If not, the limit's rule has changed, and the store has to create
     * a new cell.
     */
    public abstract boolean counts(Rule rule);

    /**
     * Applies a statement of a batch. Counts the permits that the sender has used, and grants it more if enough remain.
     *
     * @param framesBefore the cells for {@link Statement#framesBefore}, in the same order; empty unless the rule uses
     *     frames
     * @param news receives the news for other instances
     * @param nowMillis the current time by the store's clock
     * @throws IllegalArgumentException if this cell does not {@link #counts count} by the statement's rule
     */
    public final Grant apply(
            Batch batch, Statement statement, List<Cell> framesBefore, ExchangeNews news, long nowMillis) {
        String instance = batch.instance();
        if (!counts(statement.rule())) {
            throw new IllegalArgumentException(statement.key().text() + " was counted by a different rule before");
        }
        expiresAtMillis = Math.max(expiresAtMillis, TimeToLive.USUAL.of(statement, nowMillis));
        Holding before = holdings.remove(instance);
        Lapsed lapsedBefore = lapsed.take(instance);
        if (lapsedBefore != null) {
            count(instance, -lapsedBefore.permits(), lapsedBefore.sinceMillis(), nowMillis);
        }
        use(batch, statement, nowMillis);
        long given = receive(statement, nowMillis);
        long others = endLeasesAndSumHeld(nowMillis);
        long heldBefore = before == null ? 0 : before.permits();
        boolean wasHeld = heldBefore + others > 0;
        long left = left(statement, framesBefore, nowMillis) - others - statement.held();
        long forWaiting = statement.needed().granted(left);
        long ahead = forWaiting < statement.needed().all()
                ? 0
                : TakeAhead.allowed(statement.wanted(), left - forWaiting, holdings.size() + 1);
        long granted = forWaiting + ahead;
        long usedAtOnce = statement.needed().usedOf(forWaiting);
        long held = statement.held() + granted - usedAtOnce;
        useNow(instance, statement, usedAtOnce, nowMillis);
        boolean mayComeBack = !holdings.isEmpty();
        if (held > 0 || statement.mayReturn(granted)) {
            holdings.put(instance, new Holding(instance, held, nowMillis + statement.leaseMillis()));
        }
        if (held + others > 0 || statement.mayReturn(granted)) {
            long lapsesAtMillis = nowMillis + statement.leaseMillis();
            long mattersForMillis = lapseMattersForMillis(statement, others + held, nowMillis);
            expiresAtMillis = Math.max(expiresAtMillis, lapsesAtMillis + mattersForMillis);
        }
        boolean wasUsedUp = usedUp;
        usedUp = left - granted <= 0;
        long elsewhere = others + occupiedElsewhere(instance, statement);
        for (Cell frame : framesBefore) {
            elsewhere += frame.heldByOthersThan(instance, nowMillis);
            mayComeBack |= frame.holdings.values().stream()
                    .anyMatch(holding -> !holding.instance().equals(instance));
        }
        Grant grant = new Grant(
                total(nowMillis) + inUnit(others + held),
                granted,
                elsewhere,
                details(framesBefore, nowMillis),
                mayComeBack && elsewhere == 0,
                given);
        if (given > 0 && statement.gift().calls() > 0) {
            news.toAll(News.Kind.GIVEN, statement.key());
        }
        boolean isOverdrawn = left < 0 && statement.used() > 0 && !isOver(statement, nowMillis);
        if (elsewhere > 0 && (grant.isShortOf(statement) || isOverdrawn)) {
            recall(instance, statement, grant, framesBefore, news);
        }
        boolean returned = heldBefore + (lapsedBefore == null ? 0 : lapsedBefore.permits()) > held;
        if (statement.rule() instanceof Rule.Slots) {
            if (wasUsedUp && (returned || !usedUp)) {
                news.toAll(News.Kind.FREED, statement.key());
            }
            return grant;
        }
        boolean isKnownUsedUp = wasUsedUp && !wasHeld;
        if (isKnownUsedUp && (!usedUp || held > 0)) { // from now on, instances can return the permits that they hold
            news.toAll(News.Kind.FREED, statement.key());
        } else if (wasUsedUp && heldBefore == 0 && (!usedUp || held > 0)) {
            // an instance that was the only holder has concluded that it has all the remaining permits
            tellOnlyHolder(instance, statement.key(), news);
        }
        boolean isMoreExpected = mayComeBack || !holdings.isEmpty() || elsewhere > 0;
        // If no permits can be returned, notify all waiting instances, because there is nothing for their calls to wait
        // for.
        long free = isMoreExpected ? left - granted : Long.MAX_VALUE;
        for (String one : waiting.takeConcerned(instance, free, returned, nowMillis)) {
            news.to(one, News.Kind.FREED, statement.key());
        }
        if (isMoreExpected && grant.isShortOf(statement)) {
            waiting.note(instance, statement, grant, nowMillis);
        } else if (statement.needed().all() > 0) { // otherwise, its calls might be awaiting outcomes
            waiting.remove(instance);
        }
        return grant;
    }

    private void tellOnlyHolder(String sender, CounterKey key, ExchangeNews news) {
        List<String> holders = holdings.values().stream()
                .filter(holding -> holding.permits() > 0 && !holding.instance().equals(sender))
                .map(Holding::instance)
                .toList();
        if (holders.size() == 1) {
            news.to(holders.get(0), News.Kind.FREED, key);
        }
    }

    private static boolean isOver(Statement statement, long nowMillis) {
        return statement.rule() instanceof Rule.Frame
                && nowMillis >= statement.key().end();
    }

    /**
     * Recalls permits. Starts with the instances that have not reported for the longest time, because they are least
     * likely to need their permits. Stops once enough permits have been recalled. Recalls all permits if charges exceed
     * the limit, or if the number of free slots is unknown.
     */
    private void recall(String instance, Statement statement, Grant grant, List<Cell> frames, ExchangeNews news) {
        long lacking = statement.needed().all() - grant.granted();
        boolean isMeasured = lacking > 0 && !(statement.rule() instanceof Rule.Slots);
        long most =
                isMeasured ? StoreProtocol.toRecall(lacking, statement.needed().repeats()) : Long.MAX_VALUE;
        recallHeld(instance, statement.key(), most, news);
        occupants()
                .filter(one -> !one.equals(instance))
                .forEach(one -> news.to(one, News.Kind.RECALLED, statement.key()));
        for (int i = 0; i < frames.size(); i++) {
            CounterKey earlier = statement.framesBefore().get(i);
            frames.get(i).recallHeld(instance, earlier, Long.MAX_VALUE, news);
            // Calls of these holders could be waiting for permits of the current frame.
            frames.get(i).recallHeld(instance, statement.key(), Long.MAX_VALUE, news);
        }
    }

    private void recallHeld(String sender, CounterKey key, long most, ExchangeNews news) {
        long recalled = 0;
        for (Holding holding : holdings.values()) {
            if (recalled < most && holding.permits() > 0 && !holding.instance().equals(sender)) {
                news.to(holding.instance(), News.Kind.RECALLED, key);
                recalled += holding.permits();
            }
        }
    }

    /** Whether the limit had no remaining permits after the last statement. */
    public final boolean isUsedUp() {
        return usedUp;
    }

    final long heldByOthersThan(String instance, long nowMillis) {
        long all = endLeasesAndSumHeld(nowMillis); // must come first: the sender's own lease might also have ended
        Holding own = holdings.get(instance);
        return own == null ? all : all - own.permits();
    }

    /**
     * Ends expired leases, and counts their holders' permits as used. Returns the number of permits that instances
     * still hold.
     */
    final long endLeasesAndSumHeld(long nowMillis) {
        lapsed.forgetOld(nowMillis);
        for (Iterator<Holding> all = holdings.values().iterator(); all.hasNext(); ) {
            Holding holding = all.next();
            if (holding.untilMillis() <= nowMillis) {
                all.remove();
                lapse(holding, nowMillis);
            }
        }
        return holdings.values().stream().mapToLong(Holding::permits).sum();
    }

    private void lapse(Holding holding, long nowMillis) {
        if (holding.permits() > 0 && !comesBackByLapse()) {
            count(holding.instance(), holding.permits(), holding.untilMillis(), nowMillis);
            lapsed.note(new Lapsed(holding.instance(), holding.permits(), holding.untilMillis()));
        }
    }

    /** Whether an instance's permits become free when its lease ends. */
    boolean comesBackByLapse() {
        return false;
    }

    /** Counts calls that an instance made at the given time. A negative number removes calls that no longer count. */
    abstract void count(String instance, long calls, long atMillis, long nowMillis);

    /**
     * How long a lapsed lease remains relevant after it has ended, given the number of permits that all instances hold
     * together; 0 if the cell lives at least that long anyway.
     */
    long lapseMattersForMillis(Statement statement, long heldByAll, long nowMillis) {
        return 0;
    }

    /** Counts the calls that the statement reports. */
    abstract void use(Batch batch, Statement statement, long nowMillis);

    /**
     * Applies the gift in a statement. Returns the total number of calls given in this window. If the rule has no
     * windows, returns the number of calls given by the statement.
     */
    long receive(Statement statement, long nowMillis) {
        return 0;
    }

    /**
     * The number of permits that instances held when they became unresponsive, for leases that have ended since the
     * given time.
     */
    final long lapsedSince(long millis) {
        return lapsed.all().stream()
                .filter(one -> one.sinceMillis() > millis)
                .mapToLong(Lapsed::permits)
                .sum();
    }

    /** The permits of all lapsed leases, by instance. */
    final Map<String, Long> lapsedByInstance() {
        Map<String, Long> permits = new HashMap<>();
        lapsed.all().forEach(one -> permits.put(one.instance(), one.permits()));
        return permits;
    }

    /** Counts granted permits that waiting calls are using immediately. */
    abstract void useNow(String instance, Statement statement, long calls, long nowMillis);

    /** The remaining permits of the limit, including the permits that instances hold. */
    abstract long left(Statement statement, List<Cell> before, long nowMillis);

    /** The permits that calls have used, as an immutable value. */
    abstract CellState.Contents contents();

    /** The permits that calls have used, in the unit of the rule. */
    abstract long total(long nowMillis);

    /** Converts a number of permits to the unit of the rule. */
    long inUnit(long permits) {
        return permits;
    }

    List<Long> details(List<Cell> before, long nowMillis) {
        return List.of();
    }

    /** The number of slots of other instances that might have become free without the sender's knowledge. */
    long occupiedElsewhere(String instance, Statement statement) {
        return 0;
    }

    /** The instances whose calls occupy slots. */
    Stream<String> occupants() {
        return Stream.of();
    }
}

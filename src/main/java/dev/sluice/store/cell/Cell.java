package dev.sluice.store.cell;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.store.cell.CellState.Holding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One shared counter: what was used, and what instances hold. Not safe for several threads. */
public abstract sealed class Cell permits TotalCell, BucketCell, LogCell, PlacesCell {

    /** When it expires without another statement; a store may round it up. */
    long expiresAtMillis;

    private final Map<String, Holding> holdings = new LinkedHashMap<>();
    private boolean usedUp;
    private boolean freed;
    private boolean overdrawn;

    /** Restores everything but the contents. */
    final void restore(CellState state) {
        state.holdings().forEach(holding -> holdings.put(holding.instance(), holding));
        expiresAtMillis = state.expiresAtMillis();
        usedUp = state.usedUp();
    }

    /** The state of this counter. */
    public final CellState state() {
        return new CellState(contents(), List.copyOf(holdings.values()), expiresAtMillis, usedUp);
    }

    /** When it expires without another statement. */
    public final long expiresAtMillis() {
        return expiresAtMillis;
    }

    /** Whether it counts by this rule. */
    public abstract boolean counts(Rule rule);

    /**
     * Applies a statement of an instance, whose rule this cell {@link #counts}.
     *
     * @param framesBefore the earlier frames, newest first; empty without frames
     */
    public final Grant apply(String instance, Statement statement, List<Cell> framesBefore, long nowMillis) {
        if (!counts(statement.rule())) {
            throw new IllegalArgumentException(statement.key().text() + " was stated by another rule before");
        }
        expiresAtMillis = Math.max(expiresAtMillis, TimeToLive.USUAL.of(statement, nowMillis));
        use(instance, statement, nowMillis);
        Holding before = holdings.remove(instance);
        long others = heldAt(nowMillis);
        long left = left(statement, framesBefore, nowMillis) - others - statement.held();
        long forWaiting = statement.needed().granted(left);
        long ahead = forWaiting < statement.needed().all()
                ? 0
                : TakeAhead.allowed(statement.wanted(), left - forWaiting, holdings.size() + 1);
        long granted = forWaiting + ahead;
        long usedAtOnce = statement.needed().usedOf(forWaiting);
        long held = statement.held() + granted - usedAtOnce;
        useNow(instance, statement, usedAtOnce, nowMillis);
        if (held > 0) {
            holdings.put(instance, new Holding(instance, held, nowMillis + statement.leaseMillis()));
            expiresAtMillis = Math.max(expiresAtMillis, nowMillis + statement.leaseMillis());
        }
        boolean returned = before != null && before.permits() > held;
        freed = usedUp && (returned || left - granted > 0);
        usedUp = left - granted <= 0;
        overdrawn = left < 0 && statement.used() > 0;
        long elsewhere = others + occupiedElsewhere(instance, statement, nowMillis);
        for (Cell frame : framesBefore) {
            elsewhere += frame.heldByOthersThan(instance, nowMillis);
        }
        return new Grant(
                total(nowMillis) + inUnit(others + held), granted, elsewhere, details(framesBefore, nowMillis));
    }

    /** Whether nothing was left after the last statement. */
    public final boolean isUsedUp() {
        return usedUp;
    }

    /**
     * Whether the last statement freed something of a limit that was used up, or returned or used what the sender held of
     * it.
     */
    public final boolean isFreed() {
        return freed;
    }

    /** Whether the last statement reported calls that, with all that is held, exceed the limit. */
    public final boolean isOverdrawn() {
        return overdrawn;
    }

    final long heldByOthersThan(String instance, long nowMillis) {
        Holding own = holdings.get(instance);
        long all = heldAt(nowMillis);
        return own == null ? all : all - own.permits();
    }

    /** What instances hold. Removes holdings whose lease has ended. */
    final long heldAt(long nowMillis) {
        holdings.values().removeIf(holding -> holding.untilMillis() <= nowMillis);
        return holdings.values().stream().mapToLong(Holding::permits).sum();
    }

    /** Counts what was used. */
    abstract void use(String instance, Statement statement, long nowMillis);

    /** Counts what is granted to waiting calls and used at once. */
    abstract void useNow(String instance, Statement statement, long calls, long nowMillis);

    /** What is left, not counting holdings. */
    abstract long left(Statement statement, List<Cell> before, long nowMillis);

    /** What was used, as a value. */
    abstract CellState.Contents contents();

    /** What was used, in the unit of the rule. */
    abstract long total(long nowMillis);

    /** A number of permits in the unit of the rule. */
    long inUnit(long permits) {
        return permits;
    }

    List<Long> details(List<Cell> before, long nowMillis) {
        return List.of();
    }

    /** Places of other instances that may be free, as far as the sender can know. */
    long occupiedElsewhere(String instance, Statement statement, long nowMillis) {
        return 0;
    }
}

package dev.sluice.store.cell;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.store.cell.CellState.Holding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One shared counter: what was used, and what instances hold. For one thread at a time. */
public abstract sealed class Cell permits TotalCell, BucketCell, LogCell, PlacesCell {

    /** When it goes away if nobody claims of it; a store may round it up. */
    long expiresAtMillis;

    private final Map<String, Holding> holdings = new LinkedHashMap<>();
    private boolean spent;
    private boolean freed;
    private boolean overdrawn;

    /** Takes over what else was known, beside the contents. */
    final void restore(CellState state) {
        state.holdings().forEach(holding -> holdings.put(holding.instance(), holding));
        expiresAtMillis = state.expiresAtMillis();
        spent = state.spent();
    }

    /** What there is to know of it at this moment. */
    public final CellState state() {
        return new CellState(contents(), List.copyOf(holdings.values()), expiresAtMillis, spent);
    }

    /** When it goes away if nobody claims of it. */
    public final long expiresAtMillis() {
        return expiresAtMillis;
    }

    /** Whether it counts as this rule does. */
    public abstract boolean counts(Rule rule);

    /**
     * Applies a claim of this instance.
     *
     * @param framesBefore the frames before this one, the newest first; empty of what is no frame
     */
    public final Grant apply(String instance, Claim claim, List<Cell> framesBefore, long nowMillis) {
        expiresAtMillis = Math.max(expiresAtMillis, TimeToLive.USUAL.of(claim, nowMillis));
        use(instance, claim, nowMillis);
        Holding before = holdings.remove(instance);
        long others = heldAt(nowMillis);
        long left = left(claim, framesBefore, nowMillis) - others - claim.held();
        long forWaiting = claim.needed().granted(left);
        long ahead = forWaiting < claim.needed().all()
                ? 0
                : TakeAhead.allowed(claim.wanted(), left - forWaiting, holdings.size() + 1);
        long granted = forWaiting + ahead;
        long usedAtOnce = claim.needed().usedOf(forWaiting);
        long held = claim.held() + granted - usedAtOnce;
        useNow(instance, claim, usedAtOnce, nowMillis);
        if (held > 0) {
            holdings.put(instance, new Holding(instance, held, nowMillis + claim.leaseMillis()));
            expiresAtMillis = Math.max(expiresAtMillis, nowMillis + claim.leaseMillis());
        }
        boolean returned = before != null && before.permits() > held;
        freed = spent && (returned || left - granted > 0);
        spent = left - granted <= 0;
        overdrawn = left < 0 && claim.used() > 0;
        long elsewhere = others + occupiedElsewhere(instance, claim, nowMillis);
        for (Cell frame : framesBefore) {
            elsewhere += frame.heldByOthersThan(instance, nowMillis);
        }
        return new Grant(
                total(nowMillis) + tokens(others + held), granted, elsewhere, details(framesBefore, nowMillis));
    }

    /** Whether nothing was left when it was claimed of last. */
    public final boolean isSpent() {
        return spent;
    }

    /**
     * Whether the last claim has returned or used what the sender held of a limit of which nothing was left, or made
     * some of it free.
     */
    public final boolean isFreed() {
        return freed;
    }

    /** Whether the last claim told of calls that, with all that is held, pass the limit. */
    public final boolean isOverdrawn() {
        return overdrawn;
    }

    final long heldByOthersThan(String instance, long nowMillis) {
        Holding own = holdings.get(instance);
        long all = heldAt(nowMillis);
        return own == null ? all : all - own.permits();
    }

    /** What instances hold whose leases have not ended; the others are forgotten. */
    final long heldAt(long nowMillis) {
        holdings.values().removeIf(holding -> holding.untilMillis() <= nowMillis);
        return holdings.values().stream().mapToLong(Holding::permits).sum();
    }

    /** Counts what was used. */
    abstract void use(String instance, Claim claim, long nowMillis);

    /** Counts what is granted to waiting calls, which use it at once. */
    abstract void useNow(String instance, Claim claim, long calls, long nowMillis);

    /** What is left if nobody holds anything. */
    abstract long left(Claim claim, List<Cell> before, long nowMillis);

    /** What was used, as a value. */
    abstract CellState.Contents contents();

    /** What was used, in the terms of the rule. */
    abstract long total(long nowMillis);

    /** So many permits in the terms of the rule. */
    long tokens(long permits) {
        return permits;
    }

    List<Long> details(List<Cell> before, long nowMillis) {
        return List.of();
    }

    /** Places of other instances of which the sender cannot know that calls occupy them. */
    long occupiedElsewhere(String instance, Claim claim, long nowMillis) {
        return 0;
    }

    static IllegalArgumentException otherKind(Claim claim) {
        return new IllegalArgumentException(claim.key().text() + " was claimed by another rule before");
    }
}

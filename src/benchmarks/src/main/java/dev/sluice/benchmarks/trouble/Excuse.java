package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.CallLedger.Account;
import dev.sluice.benchmarks.trouble.World.Blow;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongBiFunction;

/** The exceptions to the promises that {@code docs/counting-together.md} allows during failures. */
enum Excuse {
    /**
     * The store is unavailable. Each instance admits its part of the permits that remained according to the store's
     * last reply, regardless of how many of them other instances have used since then. All parts together are at most
     * the limit. A caller that mostly calls one instance only gets that instance's part.
     */
    UNAVAILABLE(true, (account, blows) -> account.caller().limit().threshold()),
    /**
     * An instance is unresponsive, so other instances have to wait until its permits become free. No calls pass beyond
     * the limit.
     */
    UNRESPONSIVE(true, (account, blows) -> 0),
    /**
     * An instance is killed. The permits that it held count as used until the window ends. Calls that it admitted
     * within its slack are lost, and its replacement has slack of its own.
     */
    KILLED(true, (account, blows) -> 2 * account.caller().limit().slackOfOne()),
    /**
     * The store has lost its data. Until instances have reported their usage again, the store might grant permits that
     * have already been used.
     */
    FORGOTTEN(
            false,
            (account, blows) -> account.count(
                    call -> call.passed() && blows.stream().anyMatch(blow -> blow.isNear(call.answeredNanos())))),
    /** The limits are raised during the scene. */
    RAISED(false, (account, blows) -> World.RAISE);

    /** The default of {@code sync.every}. */
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final boolean concedesRefusals;
    private final ToLongBiFunction<Account, List<Blow>> over;

    Excuse(boolean concedesRefusals, ToLongBiFunction<Account, List<Blow>> over) {
        this.concedesRefusals = concedesRefusals;
        this.over = over;
    }

    /** Whether early refusals are allowed until the leases of unresponsive instances have ended. */
    boolean concedesRefusals() {
        return concedesRefusals;
    }

    /** The number of calls that are allowed beyond the limit and its slack. */
    long over(Account account, List<Blow> blows) {
        return over.applyAsLong(account, blows);
    }
}

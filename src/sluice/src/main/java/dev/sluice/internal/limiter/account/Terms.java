package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.LEASE_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.UNTRUSTED_INTERVALS;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.internal.limiter.counter.Window;
import dev.sluice.internal.limiter.rule.SharedLimit;
import dev.sluice.internal.limiter.rule.Slack;
import dev.sluice.tier.Sync;
import java.util.List;

/**
 * The facts that are the same for all accounts of one tier within a window. Immutable.
 *
 * @param limit the limit in the form in which the store counts it
 * @param isConcurrency whether calls free their slot when they end
 * @param isStrict whether no permits are taken ahead
 * @param everyMillis the interval, {@code sync.every}
 * @param startMillis the time when the window begins; 0 if the limit has no windows
 * @param endMillis the time when the window ends
 * @param anybody the key without subjects, which is the same for all these counters
 */
public record Terms(
        SharedLimit limit,
        boolean isConcurrency,
        boolean isStrict,
        long everyMillis,
        Slack slack,
        long startMillis,
        long endMillis,
        CounterKey anybody) {

    /** Creates the terms of the given window, in which the store counts calls by the given limit. */
    public static Terms of(Window window, SharedLimit limit) {
        Sync sync = window.counter.family.tier.sync();
        return new Terms(
                limit,
                window.counter.family.compiledLimit.isConcurrency,
                sync.strict(),
                sync.every().toMillis(),
                Slack.of(window.counter.family.tier, window.counter.most(), window.start(), window.end()),
                window.start(),
                window.end(),
                window.counter.family.keyAt(List.of(), window.start()));
    }

    public CounterKey key(List<Subject> subjects) {
        return new CounterKey(
                anybody.endpoint(), anybody.method(), anybody.tier(), subjects, anybody.start(), anybody.end());
    }

    /** Returns how long the store reserves permits for an unresponsive instance. */
    public long leaseMillis() {
        return LEASE_INTERVALS * everyMillis;
    }

    /**
     * Returns how long permits can be used if no further answer arrives, measured from the time at which the latest
     * answered statement was made. The rest of the lease is a margin. It covers the pause before the next tick and the
     * time for which a process can stop unnoticed.
     */
    long leaseIsTrustedMillis() {
        return leaseMillis() - (long) (UNTRUSTED_INTERVALS * everyMillis);
    }

    /** Returns the remaining time of the window. It is at most the window's length. */
    long untilEndMillis(Moment now) {
        return Math.max(0, endMillis - Math.max(now.millis(), startMillis));
    }

    boolean isTimed() {
        return limit.useTimesKeptMillis() > 0;
    }

    /**
     * Whether the store only adds up calls. If so, it needs neither the times of calls nor notifications of their ends.
     */
    public boolean onlyAddsUp() {
        return !isTimed() && !isConcurrency;
    }

    /**
     * Whether other instances might return unspent permits. They cannot do so for slots and strict limits, because all
     * granted permits of such limits are in use.
     */
    boolean mayComeBackUnspent() {
        return !isStrict && !isConcurrency;
    }
}

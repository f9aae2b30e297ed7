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
 * The facts that all accounts of one window of a tier have in common. Immutable.
 *
 * @param limit how the store counts the limit
 * @param isConcurrency whether calls free their slot when they end
 * @param isStrict whether nothing is taken ahead
 * @param everyMillis the interval, {@code sync.every}
 * @param startMillis when the window begins; 0 without windows
 * @param endMillis when the window ends
 * @param anybody the key of its counters, without subjects
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

    /** The terms of a window that the store counts by this limit. */
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

    /** How long the store leaves permits to an unresponsive instance. */
    public long leaseMillis() {
        return LEASE_INTERVALS * everyMillis;
    }

    /**
     * How long after a statement permits can be used without an answer to the next one. The rest of the lease covers
     * the pause until the time is checked again, and the time for which a process may stand still unnoticed.
     */
    long leaseIsTrustedMillis() {
        return leaseMillis() - (long) (UNTRUSTED_INTERVALS * everyMillis);
    }

    /** At most the whole length of the window. */
    long untilEndMillis(Moment now) {
        return Math.max(0, endMillis - Math.max(now.millis(), startMillis));
    }

    boolean isTimed() {
        return limit.useTimesKeptMillis() > 0;
    }

    /** Whether the store only adds up calls: it needs neither their times nor their ends. */
    public boolean onlyAddsUp() {
        return !isTimed() && !isConcurrency;
    }

    /**
     * Whether permits that other instances hold may come back unspent. Slots and strict permits are in use, so they may
     * not.
     */
    boolean mayComeBackUnspent() {
        return !isStrict && !isConcurrency;
    }
}

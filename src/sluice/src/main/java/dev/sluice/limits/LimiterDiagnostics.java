package dev.sluice.limits;

import dev.sluice.CounterKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of what a limiter knows about its shared counters and what it is waiting for. It answers the question "why
 * did this call wait, and what happens next?" for operators and tests. Creating it for each call would be too slow:
 *
 * <pre>{@code
 * for (LimiterDiagnostics.Account account : sluice.diagnostics().accounts()) {
 *     log.info("{} is due in {} ms: {}", account.key().text(),
 *             account.statement().dueInMillis(), account.statement().next());
 * }
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param background the background thread that talks to the store; {@code null} if this instance counts alone
 * @param accounts the accounts of some of the shared counters; empty if this instance counts alone, or if the
 *     background thread did not respond
 */
public record LimiterDiagnostics(@Nullable Background background, List<Account> accounts) {

    /** The diagnostics of an instance that counts alone. */
    public static final LimiterDiagnostics ALONE = new LimiterDiagnostics(null, List.of());

    public LimiterDiagnostics {
        accounts = List.copyOf(accounts);
    }

    /** Returns the diagnostics of a limiter whose background thread does not respond. */
    public static LimiterDiagnostics unresponsive(Background.State state) {
        return new LimiterDiagnostics(
                new Background(state, false, null, 0, null, 0, 0, new Accounts(0, 0, 0, 0)), List.of());
    }

    /**
     * Returns a copy with a note on what operators should change about the store; {@code null} if nothing needs to
     * change.
     */
    public LimiterDiagnostics withStoreWarning(@Nullable String warning) {
        Background known = background;
        return known == null
                ? this
                : new LimiterDiagnostics(
                        new Background(
                                known.state,
                                known.isStoreUnavailable,
                                warning,
                                known.failures,
                                known.inFlight,
                                known.nextStepMillis,
                                known.callsInLine,
                                known.accounts),
                        accounts);
    }

    /**
     * The state of the background thread that talks to the store.
     *
     * @param state whether the background thread responds; unless it is running, all other components are empty
     * @param isStoreUnavailable whether the store is unavailable, so that {@code store.onFailure} determines how calls
     *     are decided
     * @param storeWarning what operators should change about the store; {@code null} if nothing needs to change
     * @param failures the number of failed exchanges since the store's last reply
     * @param inFlight the batch that is still awaiting its reply; {@code null} if there is none
     * @param nextStepMillis the time until the background thread's next step, unless an event wakes the thread earlier
     * @param callsInLine the number of calls that are waiting for the store or awaiting outcomes
     * @param accounts the numbers of accounts
     */
    public record Background(
            State state,
            boolean isStoreUnavailable,
            @Nullable String storeWarning,
            int failures,
            @Nullable InFlight inFlight,
            long nextStepMillis,
            int callsInLine,
            Accounts accounts) {

        /** Whether the background thread responds. */
        public enum State {
            /** The background thread responds. */
            RUNNING,
            /**
             * The background thread has not responded within a second, because it is stuck or this process is starved
             * of CPU.
             */
            STUCK,
            /** The limiter is closed. */
            CLOSED
        }
    }

    /**
     * A batch that is still awaiting the store's reply.
     *
     * @param sequence the number of the batch
     * @param counters the number of counters in the batch
     * @param forMillis the time since the batch was sent
     */
    public record InFlight(long sequence, int counters, long forMillis) {}

    /**
     * The numbers of accounts.
     *
     * @param all the number of all accounts; each shared counter that is currently in use has an account
     * @param inFlight the number of accounts in the batch that is still awaiting its reply
     * @param urgent the number of accounts that are due immediately. These accounts trigger the next batch
     * @param patient the number of accounts that are due, but can wait for the next batch or for a pause
     */
    public record Accounts(int all, int inFlight, int urgent, int patient) {}

    /**
     * What this instance knows about one shared counter, and what it does next.
     *
     * @param key the counter; its {@link CounterKey#text()} is its key in the store, except for the shard in a Redis
     *     Cluster
     * @param stage whether the counter is in use
     * @param decides how decisions about calls are made
     * @param here the state on this instance
     * @param fleet what this instance knows about the fleet
     * @param waits the calls that are waiting for the counter
     * @param statement what this instance reports to the store about the counter
     */
    public record Account(
            CounterKey key, Stage stage, Decides decides, Here here, Fleet fleet, Waits waits, Statement statement) {

        /** The stages of an account's life cycle. */
        public enum Stage {
            /** Permits have been used, or are held or needed, so the account is checked four times per interval. */
            ACTIVE,
            /** All usage has been reported and no permits are held, so nothing is due until the next call. */
            IDLE,
            /** The account no longer sends anything to the store. */
            CLOSED
        }

        /** How decisions about calls are made. */
        public enum Decides {
            /** The store has not replied yet. */
            NEW,
            /** Calls use permits granted by the store. */
            SHARED,
            /** The store is unavailable, so calls use this instance's part of the limit. */
            WITHOUT_STORE,
            /**
             * The store is unavailable. Calls are admitted until the permits in hand are used up, and are then refused.
             */
            DENYING,
            /** The store is available again, but other instances might not have reported yet. */
            STORE_BACK
        }

        /** Why this instance sends a statement about a counter to the store. */
        public enum Reason {
            /**
             * Calls on this instance found no permit. They are either still waiting, or were refused because other
             * instances are unresponsive.
             */
            CALLS_WAIT,
            /** Calls on other instances are waiting for permits that this instance holds. */
            RECALLED,
            /** The store has recorded calls that were eventually refused. */
            REFUND,
            /** Charges exhaust the remaining permits, or need permits that other instances hold. */
            OVERDRAWN,
            /** An operator has given calls. */
            GIVEN,
            /** Few permits are in hand. */
            LOW,
            /** The unreported charges are a large fraction of the remaining permits. */
            CHARGE,
            /** No calls have arrived for most of an interval, so the share is returned and its usage is reported. */
            RETURN,
            /** An interval has ended, so the share is refilled or reduced, and its usage is reported. */
            INTERVAL,
            /** Calls are refused, but permits might be available again by now. */
            USED_UP,
            /** The window has ended, or the counter was retired. */
            CLOSING,
            /** The store has lost usage that this instance had reported. */
            LOST,
            /** The store is available again. */
            STORE_BACK,
            /** The last statement was not applied. */
            FAILED
        }

        /**
         * The state of the counter on this instance.
         *
         * @param used the total number of permits that calls on this instance have used
         * @param unreported the number of used permits whose use has not been reported yet; the store still regards
         *     them as held
         * @param held the number of permits in hand that the store has granted
         * @param ungranted the number of permits in hand that the store has not granted: slack, or permits that
         *     {@code onFailure} allows
         */
        public record Here(long used, long unreported, long held, long ungranted) {}

        /**
         * What this instance knows about the fleet.
         *
         * @param left the number of remaining permits of the limit across the fleet
         * @param elsewhere the number of permits that other instances held at the time of the store's latest reply
         * @param isUsedUp whether calls are refused immediately, because no permits remain
         * @param unresponsive the permits of unresponsive instances. These permits count as used. The instance that has
         *     been unresponsive for the longest time comes first. Only the store has this list. It is therefore {@code
         *     null} unless the diagnostics are about one caller and the store has responded
         */
        public record Fleet(
                long left,
                long elsewhere,
                boolean isUsedUp,
                @Nullable List<Unresponsive> unresponsive) {

            public Fleet {
                unresponsive = unresponsive == null ? null : List.copyOf(unresponsive);
            }
        }

        /**
         * The permits that an unresponsive instance held when its lease lapsed. The instance might have been killed,
         * paused, or cut off from the store. The permits count as used until that instance reports its real usage, or
         * until the whole limit is available again.
         *
         * @param instance the instance's name
         * @param permits the number of permits that the instance held
         * @param since the end of the lease: five intervals after the instance's last report
         */
        public record Unresponsive(String instance, long permits, Instant since) {}

        /**
         * The calls that are waiting for the counter.
         *
         * @param needed the number of permits that waiting calls need; 0 if no call is waiting
         * @param waitingMillis the time for which calls have been waiting for the store's next reply
         * @param isRecalled whether calls on other instances are waiting for permits that this instance holds
         */
        public record Waits(long needed, long waitingMillis, boolean isRecalled) {}

        /**
         * What this instance reports to the store about the counter.
         *
         * @param inFlight the reason for the statement that is still awaiting a reply; {@code null} if there is none
         * @param next the reason for the next statement; {@code null} if none is due
         * @param dueInMillis the time until the next statement is due; negative if it is overdue, 0 if none is due
         */
        public record Statement(
                @Nullable Reason inFlight, @Nullable Reason next, long dueInMillis) {}
    }
}

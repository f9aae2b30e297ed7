package dev.sluice.limits;

import dev.sluice.CounterKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a limiter knows about its shared counters at one moment, and what it is waiting for. It answers the question
 * "why did this call wait, and what happens next?". It is meant for operators and tests, and is too slow to create for
 * each call:
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
 * @param background the background that exchanges with the store; {@code null} if this instance counts alone
 * @param accounts some of the shared counters; empty if this instance counts alone, or the background did not respond
 */
public record LimiterDiagnostics(@Nullable Background background, List<Account> accounts) {

    /** The diagnostics of an instance that counts alone. */
    public static final LimiterDiagnostics ALONE = new LimiterDiagnostics(null, List.of());

    public LimiterDiagnostics {
        accounts = List.copyOf(accounts);
    }

    /** The diagnostics if the background did not respond. */
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
     * The background that exchanges with the store.
     *
     * @param state whether the background responds; unless it is running, all other components are empty
     * @param isStoreUnavailable whether the store is unavailable, so that {@code store.onFailure} decides
     * @param storeWarning what operators should change about the store; {@code null} if nothing needs to change
     * @param failures the number of failed exchanges since the store's last reply
     * @param inFlight the batch that still awaits its reply; {@code null} if there is none
     * @param nextStepMillis the time until the next step of the background, unless something wakes it earlier
     * @param callsInLine the number of calls that wait for the store or await outcomes
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

        /** Whether the background responds. */
        public enum State {
            /** The background responds. */
            RUNNING,
            /** The background has not responded within a second, because it hangs or this process is starved of CPU. */
            STUCK,
            /** The limiter is closed. */
            CLOSED
        }
    }

    /**
     * A batch that still awaits the store's reply.
     *
     * @param sequence the number of the batch
     * @param counters the number of counters in the batch
     * @param forMillis the time since the batch was sent
     */
    public record InFlight(long sequence, int counters, long forMillis) {}

    /**
     * Numbers of accounts.
     *
     * @param all all accounts; there is one for each shared counter that is currently in use
     * @param inFlight accounts in the batch that still awaits its reply
     * @param urgent accounts that are due immediately and cause the next batch
     * @param patient accounts that are due, but can wait for the next batch or a pause
     */
    public record Accounts(int all, int inFlight, int urgent, int patient) {}

    /**
     * What this instance knows about one shared counter, and what it does next.
     *
     * @param key the counter; its {@link CounterKey#text()} is its key in the store, except for the shard in a Redis
     *     Cluster
     * @param stage whether the counter is in use
     * @param decides the way in which calls are decided
     * @param here the state on this instance
     * @param fleet what this instance knows about the fleet
     * @param waits the calls that wait for the counter
     * @param statement what this instance reports to the store about the counter
     */
    public record Account(
            CounterKey key, Stage stage, Decides decides, Here here, Fleet fleet, Waits waits, Statement statement) {

        /** The stages in the life of an account. */
        public enum Stage {
            /** Permits are used, held or needed, so the account is checked four times per interval. */
            ACTIVE,
            /** All use is reported and no permits are held, so nothing is due until the next call. */
            IDLE,
            /** The account no longer sends anything. */
            CLOSED
        }

        /** How calls are decided. */
        public enum Decides {
            /** The store has not replied yet. */
            NEW,
            /** Calls use permits granted by the store. */
            SHARED,
            /** The store is unavailable, so calls use this instance's part of the limit. */
            WITHOUT_STORE,
            /** The store is unavailable. Calls use up the permits in hand, and are then refused. */
            DENYING,
            /** The store is available again, but other instances might not have reported yet. */
            STORE_BACK
        }

        /** Why this instance sends a statement about a counter to the store. */
        public enum Reason {
            /**
             * Calls on this instance found no permit and wait, or were refused because other instances are
             * unresponsive.
             */
            CALLS_WAIT,
            /** Calls on another instance wait for permits that this instance holds. */
            RECALLED,
            /** The store has recorded calls that were refused in the end. */
            REFUND,
            /** Charges exhaust the remaining permits, or need permits that other instances hold. */
            OVERDRAWN,
            /** An operator has given calls. */
            GIVEN,
            /** Few permits are in hand. */
            LOW,
            /** Charges amount to a considerable part of the remaining permits. */
            CHARGE,
            /** There have been no calls for most of an interval, so the share is returned and its use is reported. */
            RETURN,
            /** An interval has ended, so the share is refilled or cut, and its use is reported. */
            INTERVAL,
            /** Calls are refused, but permits might be available again by now. */
            USED_UP,
            /** The window has ended, or the counter was retired. */
            CLOSING,
            /** The store has lost reported use. */
            LOST,
            /** The store is available again. */
            STORE_BACK,
            /** The last statement was not applied. */
            FAILED
        }

        /**
         * The state of the counter on this instance.
         *
         * @param used the permits that calls have used here in total
         * @param unreported the part of the used permits whose use is not reported yet; the store still regards these
         *     permits as held
         * @param held the permits in hand that the store has granted
         * @param ungranted the permits in hand that the store has not granted: slack, or permits that {@code onFailure}
         *     allows
         */
        public record Here(long used, long unreported, long held, long ungranted) {}

        /**
         * What this instance knows about the fleet.
         *
         * @param left the remaining permits of the limit across the fleet
         * @param elsewhere the permits that other instances held at the time of the store's latest reply
         * @param isUsedUp whether calls are refused immediately, because no permits remain
         * @param unresponsive the permits of unresponsive instances, longest unresponsive first; these permits count as
         *     used. Only the store knows them. This is {@code null} unless the diagnostics are about one caller and the
         *     store has responded
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
         * The permits that an instance held when its lease ended, because the instance was killed, paused or cut off
         * from the store. These permits count as used until that instance reports its real use, or until the limit is
         * available again.
         *
         * @param instance the instance's name
         * @param permits the number of permits that the instance held
         * @param since the end of the lease: five intervals after the instance's last report
         */
        public record Unresponsive(String instance, long permits, Instant since) {}

        /**
         * The calls that wait for the counter.
         *
         * @param needed the permits that waiting calls need; 0 if no call is waiting
         * @param waitingMillis the time that calls have waited for the store's next reply
         * @param isRecalled whether calls on another instance wait for permits that this instance holds
         */
        public record Waits(long needed, long waitingMillis, boolean isRecalled) {}

        /**
         * What this instance reports to the store about the counter.
         *
         * @param inFlight the reason for the statement that still awaits a reply; {@code null} if there is none
         * @param next the reason for the next statement; {@code null} if none is due
         * @param dueInMillis the time until the next statement is due; negative if it is overdue, 0 if none is due
         */
        public record Statement(
                @Nullable Reason inFlight, @Nullable Reason next, long dueInMillis) {}
    }
}

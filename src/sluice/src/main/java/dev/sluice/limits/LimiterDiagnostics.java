package dev.sluice.limits;

import dev.sluice.CounterKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a limiter knows of its shared counters at one moment, and what it waits for. It answers the question "why did
 * this call wait, and what happens next?". It is for operators and tests, and too slow for each call:
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
 * @param accounts some shared counters; empty if this instance counts alone, or the background did not answer
 */
public record LimiterDiagnostics(@Nullable Background background, List<Account> accounts) {

    /** The diagnostics of an instance that counts alone. */
    public static final LimiterDiagnostics ALONE = new LimiterDiagnostics(null, List.of());

    public LimiterDiagnostics {
        accounts = List.copyOf(accounts);
    }

    /** The diagnostics if the background did not answer. */
    public static LimiterDiagnostics unresponsive(Background.State state) {
        return new LimiterDiagnostics(
                new Background(state, false, null, 0, null, 0, 0, new Accounts(0, 0, 0, 0)), List.of());
    }

    /** A copy that says what operators should change about the store; {@code null} if there is nothing to change. */
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
     * @param state whether it answers; unless it is running, all other components are empty
     * @param isStoreUnavailable whether {@code store.onFailure} decides until the store answers
     * @param storeWarning what operators should change about the store; {@code null} if there is nothing to change
     * @param failures how many exchanges have failed since the store last answered
     * @param inFlight the batch that the store has not answered yet; {@code null} if there is none
     * @param nextStepMillis the time until its next step, unless something wakes it earlier
     * @param callsInLine how many calls wait for the store or await outcomes
     * @param accounts how many accounts there are
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

        /** Whether the background answers. */
        public enum State {
            /** It answers. */
            RUNNING,
            /** It has not answered within a second: it hangs, or this process gets too little CPU time. */
            STUCK,
            /** The limiter is closed. */
            CLOSED
        }
    }

    /**
     * A batch that the store has not answered yet.
     *
     * @param sequence its number
     * @param counters how many counters it contains
     * @param forMillis how long ago it was sent
     */
    public record InFlight(long sequence, int counters, long forMillis) {}

    /**
     * How many accounts there are.
     *
     * @param all one for each shared counter that matters now
     * @param inFlight how many are in the batch that the store has not answered yet
     * @param urgent how many are due at once: the next batch is sent for them
     * @param patient how many are due, but can wait for the next batch or a pause
     */
    public record Accounts(int all, int inFlight, int urgent, int patient) {}

    /**
     * What this instance knows of one shared counter, and what it does next.
     *
     * @param key the counter; its {@link CounterKey#text()} is its key in the store, except for the shard in a Redis
     *     Cluster
     * @param stage whether it is in use
     * @param decides how calls are decided
     * @param here the state on this instance
     * @param fleet what this instance knows about the fleet
     * @param waits the calls that wait for the counter
     * @param statement what this instance tells the store
     */
    public record Account(
            CounterKey key, Stage stage, Decides decides, Here here, Fleet fleet, Waits waits, Statement statement) {

        /** The stages in the life of an account. */
        public enum Stage {
            /** Permits are used, held or wanted, so the account is checked four times an interval. */
            ACTIVE,
            /** Everything is reported and no permits are held, so nothing is due until a call comes. */
            IDLE,
            /** The account sends nothing any more. */
            CLOSED
        }

        /** How calls are decided. */
        public enum Decides {
            /** The store has not answered yet. */
            NEW,
            /** Calls use permits that the store grants. */
            SHARED,
            /** The store is unavailable, so calls use this instance's part of the limit. */
            WITHOUT_STORE,
            /** The store is unavailable, so calls use up the permits in hand, and then are refused. */
            DENYING,
            /** The store is available again, but other instances may not have reported yet. */
            STORE_BACK
        }

        /** Why this instance tells the store about a counter. */
        public enum Reason {
            /** Calls here found no permit and wait, or were refused because other instances are unresponsive. */
            CALLS_WAIT,
            /** Calls of another instance wait for permits that this instance holds. */
            RECALLED,
            /** The store has recorded calls that were refused in the end. */
            REFUND,
            /** Charges use up the remaining permits, or need those that other instances hold. */
            OVERDRAWN,
            /** An operator has given calls. */
            GIVEN,
            /** Few permits are in hand. */
            LOW,
            /** Charges are a considerable part of the remaining permits. */
            CHARGE,
            /** Nobody has called for most of an interval, so the share is returned and its use reported. */
            RETURN,
            /** An interval has ended, so the share is refilled or cut, and its use reported. */
            INTERVAL,
            /** Calls are refused, and by now permits may have come back to the limit. */
            USED_UP,
            /** The window is over, or the counter was retired. */
            CLOSING,
            /** The store has lost what was reported. */
            LOST,
            /** The store answers again. */
            STORE_BACK,
            /** The last statement was not applied. */
            FAILED
        }

        /**
         * The state of the counter on this instance.
         *
         * @param used the permits that calls have used here in total
         * @param unreported the part of them whose use was not reported yet, so that the store knows them only as held
         * @param held the permits in hand that the store has granted
         * @param ungranted the permits in hand that the store has not granted: slack, or what {@code onFailure} allows
         */
        public record Here(long used, long unreported, long held, long ungranted) {}

        /**
         * What this instance knows about the fleet.
         *
         * @param left the remaining permits of the limit over the fleet
         * @param elsewhere the permits that other instances held at the store's latest answer
         * @param isUsedUp whether calls are refused at once, because no permits remain
         * @param unresponsive the permits of unresponsive instances, which count as used; the longest unresponsive
         *     comes first. Only the store knows them, and it is asked only if the diagnostics are about one caller.
         *     Otherwise, and if it does not answer, this is {@code null}
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
         * The permits that an instance held when its lease ended, because the instance was killed, stood still or was
         * cut off. They count as used until that instance reports its real use, or until the limit is available again.
         *
         * @param instance the name of its server
         * @param permits how many it held
         * @param since the time when its lease ended, which is five intervals after its last report
         */
        public record Unresponsive(String instance, long permits, Instant since) {}

        /**
         * The calls that wait for the counter.
         *
         * @param needed the permits that waiting calls need; 0 if no call waits
         * @param waitingMillis how long calls have waited for the store's next answer
         * @param isRecalled whether calls of another instance wait for permits that this instance holds
         */
        public record Waits(long needed, long waitingMillis, boolean isRecalled) {}

        /**
         * What this instance tells the store about the counter.
         *
         * @param inFlight why it sent the statement that the store has not answered yet; {@code null} if there is none
         * @param next why it sends the next one; {@code null} if none is due
         * @param dueInMillis the time until the next one is due; negative if it is overdue, 0 if none is due
         */
        public record Statement(
                @Nullable Reason inFlight, @Nullable Reason next, long dueInMillis) {}
    }
}

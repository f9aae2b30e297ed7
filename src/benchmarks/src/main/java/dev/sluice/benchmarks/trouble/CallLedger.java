package dev.sluice.benchmarks.trouble;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * All calls, as seen by their callers. The ledger is independent of the limiter. The exact time of a decision is
 * unknown, but lies between the request and the response. The ledger therefore only reports violations that occurred
 * regardless of the exact times. Thread-safe.
 */
final class CallLedger {

    /**
     * The status of a call whose connection broke before the response arrived. It is unknown whether the limiter
     * counted such a call.
     */
    static final int NO_ANSWER = 0;

    /** The value to add to {@link System#nanoTime} to obtain nanoseconds since 1970. */
    private static final long EPOCH_NANOS =
            TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();

    /**
     * The maximum difference between an instance's clock and the ledger's clock. Calls closer than this to a window
     * boundary prove nothing.
     */
    private static final long EDGE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

    /** A caller that is subject to one limit. */
    record Caller(String name, TroubleLimit limit) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** A call, with its times by {@link System#nanoTime}. */
    record Call(Caller caller, int instance, long sentNanos, long answeredNanos, int status) {

        boolean passed() {
            return status == 200;
        }

        boolean refused() {
            return status == 429;
        }

        private boolean mayHavePassed() {
            return passed() || status == NO_ANSWER;
        }

        private long firstWindow() {
            return caller.limit.windowAt(EPOCH_NANOS + sentNanos - EDGE_NANOS);
        }

        private long lastWindow() {
            return caller.limit.windowAt(EPOCH_NANOS + answeredNanos + EDGE_NANOS);
        }

        private boolean mayBeIn(long window) {
            return firstWindow() <= window && window <= lastWindow();
        }

        private boolean isIn(long window) {
            return firstWindow() == window && window == lastWindow();
        }
    }

    void add(Call call) {
        calls.add(call);
    }

    Stream<Call> calls() {
        return calls.stream();
    }

    /** The calls of each caller. */
    Collection<Account> accounts() {
        Map<Caller, Account> accounts = new LinkedHashMap<>();
        calls.forEach(call -> accounts.computeIfAbsent(call.caller, caller -> new Account(caller, new ArrayList<>()))
                .calls
                .add(call));
        return accounts.values();
    }

    /** The calls of one caller, with their responses. */
    record Account(Caller caller, List<Call> calls) {

        long passed() {
            return count(Call::passed);
        }

        long unanswered() {
            return count(call -> call.status == NO_ANSWER);
        }

        long count(Predicate<Call> which) {
            return calls.stream().filter(which).count();
        }

        /** The number of calls that passed beyond the limit and its slack, in the worst window. */
        long over() {
            return calls.stream()
                    .mapToLong(Call::firstWindow)
                    .distinct()
                    .map(window -> count(call -> call.passed() && call.isIn(window)))
                    .map(passed -> passed - caller.limit.threshold() - caller.limit.slack())
                    .reduce(0, Math::max);
        }

        /** The calls that were refused before the limit was used up. */
        List<Call> refusedEarly() {
            return calls.stream()
                    .filter(call -> call.refused() && isEarly(call))
                    .toList();
        }

        private boolean isEarly(Call refusal) {
            return LongStream.rangeClosed(refusal.firstWindow(), refusal.lastWindow())
                    .map(window -> count(call ->
                            call.mayHavePassed() && call.sentNanos < refusal.answeredNanos && call.mayBeIn(window)))
                    .allMatch(passed -> passed < caller.limit.threshold());
        }
    }
}

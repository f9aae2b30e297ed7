package dev.sluice.internal.store.admin;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.admin.LiveCounters.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Gives back what counters of windows count as used, for operators. It reads the counts, and then sends the store a
 * batch that takes them back, as an instance takes back calls that do not count after all. So the store applies it in
 * one step for each counter, and tells instances that believe the limit to be used up.
 *
 * <p>What instances hold, and what unresponsive ones held, stays theirs: they may have used it. Calls that pass between
 * the reading and the batch stay counted. So at most the limit passes, and what was given back. Thread-safe.
 */
public final class CounterReset {

    /** The store's deadline does not depend on it, since the batch holds nothing. */
    private static final long LEASE_MILLIS = 1000;

    /** So that no exchange takes the store long. */
    private static final int MOST_AT_ONCE = 100;

    private final LiveCounters counters;
    private final CounterStore store;
    /** Stores remember something of each sender, so one object is one sender. */
    private final String sender = "operator-" + UUID.randomUUID();

    private long sequence;
    /** The batch in flight, if any. A sender has only one. */
    private CompletionStage<Boolean> last = CompletableFuture.completedFuture(true);

    /**
     * Gives back in this store.
     *
     * @param counters reads the counts
     * @param store the same store, which takes the batch
     */
    public CounterReset(LiveCounters counters, CounterStore store) {
        this.counters = counters;
        this.store = store;
    }

    /**
     * What became of one counter.
     *
     * @param key of the present window or frame
     * @param given the calls that count no more, including those of earlier frames
     * @param held what instances hold for further calls
     * @param lapsed what counts as used because an unresponsive instance held it
     */
    public record Given(CounterKey key, long given, long held, long lapsed) {}

    /** A window or frame whose count is taken back. */
    private record Window(int counter, CounterKey key, Rule rule) {

        /** Reads it alone: a frame without the earlier ones. */
        LiveCounter alone() {
            return new LiveCounter(key, new Rule.Total(0));
        }

        Statement takeBack(long calls) {
            return new Statement(key, List.of(new Use(0, -calls)), 0, Need.NONE, 0, LEASE_MILLIS, rule);
        }
    }

    /** Whether counters with this rule can be reset. */
    public static boolean isPossible(Rule rule) {
        return rule instanceof Rule.Total || rule instanceof Rule.Frame;
    }

    /** Gives back all that these counters count as used now: see {@link #giveBack}. */
    public CompletionStage<List<Given>> reset(List<LiveCounter> asked) {
        return giveBack(asked, Long.MAX_VALUE);
    }

    /**
     * Gives back what these counters count as used now. Not idempotent: if the stage fails, some may have been changed.
     *
     * @param asked counters of present windows or frames, for whose rules it {@link #isPossible}
     * @param most the most calls to give back of each counter; of a sliding window, the latest calls first
     */
    public CompletionStage<List<Given>> giveBack(List<LiveCounter> asked, long most) {
        List<Window> windows = new ArrayList<>();
        for (int n = 0; n < asked.size(); n++) {
            List<CounterKey> keys = asked.get(n).keys().toList();
            for (int back = keys.size() - 1; back >= 0; back--) { // the oldest first: later frames count it
                windows.add(new Window(n, keys.get(back), asked.get(n).rule()));
            }
        }
        return counters.nowMillis()
                .thenCompose(
                        now -> counters.look(windows.stream().map(Window::alone).toList(), now, true))
                .thenCompose(looks -> {
                    long[] back = back(windows, looks, most);
                    return takeBack(windows, back).thenApply(done -> given(asked, windows, looks, back));
                });
    }

    /** How much to take back of each window. The latest window of a counter stands last. */
    private static long[] back(List<Window> windows, List<Look> looks, long most) {
        long[] back = new long[windows.size()];
        long remaining = most;
        for (int n = windows.size() - 1; n >= 0; n--) {
            boolean isLatest = n == windows.size() - 1
                    || windows.get(n + 1).counter() != windows.get(n).counter();
            remaining = isLatest ? most : remaining;
            back[n] = Math.min(remaining, used(looks.get(n)));
            remaining -= back[n];
        }
        return back;
    }

    private CompletionStage<Boolean> takeBack(List<Window> windows, long[] back) {
        List<Statement> statements = new ArrayList<>();
        for (int n = 0; n < windows.size(); n++) {
            if (back[n] > 0) {
                statements.add(windows.get(n).takeBack(back[n]));
            }
        }
        CompletionStage<Boolean> done = CompletableFuture.completedFuture(true);
        for (int from = 0; from < statements.size(); from += MOST_AT_ONCE) {
            List<Statement> some = statements.subList(from, Math.min(statements.size(), from + MOST_AT_ONCE));
            done = done.thenCompose(before -> send(some));
        }
        return done;
    }

    /** Sends a batch once the one before has ended, however. */
    private synchronized CompletionStage<Boolean> send(List<Statement> statements) {
        sequence++;
        Batch batch = new Batch(sender, sequence, statements);
        last = last.handle((done, failure) -> true)
                .thenCompose(ended -> store.exchange(batch))
                .thenApply(reply -> true);
        return last;
    }

    private static List<Given> given(List<LiveCounter> asked, List<Window> windows, List<Look> looks, long[] back) {
        List<Given> all = new ArrayList<>();
        for (int n = 0; n < asked.size(); n++) {
            long given = 0;
            long held = 0;
            long lapsed = 0;
            for (int at = 0; at < windows.size(); at++) {
                if (windows.get(at).counter() == n) {
                    Look look = looks.get(at);
                    given += back[at];
                    held += look.grant().elsewhere();
                    lapsed += lapsed(look);
                }
            }
            all.add(new Given(asked.get(n).key(), given, held, lapsed));
        }
        return all;
    }

    /** What calls have used: without what is held, or was held when a lease ended. */
    private static long used(Look look) {
        return Math.max(0, look.grant().total() - look.grant().elsewhere() - lapsed(look));
    }

    private static long lapsed(Look look) {
        return look.lapsed().stream().mapToLong(one -> one.permits()).sum();
    }
}

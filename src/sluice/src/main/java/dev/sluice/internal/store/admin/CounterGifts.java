package dev.sluice.internal.store.admin;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Gift;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.algorithm.SlidingWindow;
import dev.sluice.internal.store.admin.LiveCounters.Look;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Gives additional calls to counters on behalf of operators. Operators give either a fixed number of calls, or as many
 * calls as the counters currently count as used. The store applies each {@link Gift} atomically, and notifies all
 * instances.
 *
 * <p>A gift excludes the permits that instances hold, and those that they held when they became unresponsive, because
 * calls might have used these permits. Therefore, the number of calls that pass never exceeds the sum of the limit and
 * the given calls. Thread-safe.
 */
public final class CounterGifts {

    /**
     * The lease in each statement. Its value has no effect, because the sender of these statements does not hold any
     * permits.
     */
    private static final long LEASE_MILLIS = 1000;

    /**
     * The maximum number of statements in a batch. If it is larger, a single exchange can occupy the store for too
     * long.
     */
    private static final int MOST_AT_ONCE = 100;

    private final LiveCounters counters;
    private final CounterStore store;
    /**
     * The sender's name. All batches of this object use the same name, because stores keep a record for each sender.
     */
    private final String sender = "operator-" + UUID.randomUUID();

    private long sequence;
    /**
     * The result of the latest batch, which might still be in flight. A sender has only one batch in flight at a time.
     */
    private CompletionStage<List<Grant>> last = CompletableFuture.completedFuture(List.of());

    /**
     * Creates an object that gives calls to the counters in a store.
     *
     * @param counters reads the counts
     * @param store the same store, for applying the batches
     */
    public CounterGifts(LiveCounters counters, CounterStore store) {
        this.counters = counters;
        this.store = store;
    }

    /**
     * The result for one counter.
     *
     * @param key the key of the counter in its current window or frame
     * @param given the number of calls given now
     * @param inAll the total number of calls given in this window; for a bucket or log, the same number as
     *     {@code given}
     * @param held the number of permits that instances hold for further calls
     * @param lapsed the number of permits that count as used because unresponsive instances held them
     */
    public record Given(CounterKey key, long given, long inAll, long held, long lapsed) {

        private Given and(long more) {
            return new Given(key, given + more, inAll + more, held, lapsed);
        }
    }

    /** Whether operators can give calls to counters with the given rule. */
    public static boolean isPossible(Rule rule) {
        return !(rule instanceof Rule.Slots);
    }

    /**
     * Whether a gift allows calls beyond the limit of a counter with the given rule. If not, operators can only give
     * back used calls.
     */
    public static boolean hasWindow(Rule rule) {
        return rule instanceof Rule.Total || rule instanceof Rule.Frame;
    }

    /** Gives back all the calls that the counters currently count as used. Otherwise works like {@link #give}. */
    public CompletionStage<List<Given>> reset(List<LiveCounter> asked) {
        List<LiveCounter> frames = frames(asked);
        return counters.nowMillis()
                .thenCompose(now -> counters.look(frames, now, true).thenCompose(looks -> {
                    List<Long> calls = new ArrayList<>();
                    List<Look> all = new ArrayList<>();
                    int at = 0;
                    for (LiveCounter counter : asked) {
                        int next = at + (int) counter.keys().count();
                        List<Look> own = looks.subList(at, next);
                        calls.add(toReset(counter, own, now));
                        all.add(together(own));
                        at = next;
                    }
                    return send(asked, calls, all);
                }));
    }

    /**
     * Gives calls. Not idempotent: if the stage fails, some counters might already have received their calls.
     *
     * @param asked the counters, in their current windows or frames. Their rules must {@linkplain #isPossible allow} a
     *     gift
     * @param calls the number of calls to give to each counter; at least 1
     */
    public CompletionStage<List<Given>> give(List<LiveCounter> asked, long calls) {
        List<Long> each =
                asked.stream().map(counter -> Math.min(calls, Gift.MOST)).toList();
        return counters.nowMillis()
                .thenCompose(now -> counters.look(asked, now, true))
                .thenCompose(looks -> {
                    int[] used = inUse(asked, looks);
                    return send(
                            Arrays.stream(used).mapToObj(asked::get).toList(),
                            Arrays.stream(used).mapToObj(each::get).toList(),
                            Arrays.stream(used).mapToObj(looks::get).toList());
                });
    }

    /**
     * The indexes of the counters that receive the calls. A client can have several counters for one limit if its calls
     * are identified in different ways, such as by either of two headers. If some of these counters are in use, only
     * those receive the gift.
     */
    private static int[] inUse(List<LiveCounter> asked, List<Look> looks) {
        Set<List<String>> used = IntStream.range(0, asked.size())
                .filter(n -> isInUse(looks.get(n)))
                .mapToObj(n -> limitOf(asked.get(n).key()))
                .collect(Collectors.toSet());
        return IntStream.range(0, asked.size())
                .filter(n -> isInUse(looks.get(n))
                        || !used.contains(limitOf(asked.get(n).key())))
                .toArray();
    }

    private static boolean isInUse(Look look) {
        Grant grant = look.grant();
        return grant.total() != 0 || grant.elsewhere() != 0 || grant.given() != 0;
    }

    private static List<String> limitOf(CounterKey key) {
        return List.of(key.endpoint(), key.method(), key.tier());
    }

    /** The counters, each followed by its earlier frames. The frames are read individually, as if they were windows. */
    private static List<LiveCounter> frames(List<LiveCounter> asked) {
        List<LiveCounter> frames = new ArrayList<>();
        for (LiveCounter counter : asked) {
            if (counter.rule() instanceof Rule.Frame) {
                counter.keys().forEach(key -> frames.add(new LiveCounter(key, new Rule.Total(0))));
            } else {
                frames.add(counter);
            }
        }
        return frames;
    }

    private static Look together(List<Look> frames) {
        long held =
                frames.stream().mapToLong(frame -> frame.grant().elsewhere()).sum();
        Grant latest = frames.get(0).grant();
        return new Look(
                new Grant(latest.total(), 0, held, List.of(), false, latest.given()),
                frames.stream().flatMap(frame -> frame.lapsed().stream()).toList());
    }

    /**
     * The number of calls to give for a reset. For buckets and logs, this can exceed the number of calls that count,
     * because the store never gives back more than that.
     */
    private static long toReset(LiveCounter counter, List<Look> frames, long nowMillis) {
        if (hasWindow(counter.rule())) {
            return used(counter, frames, nowMillis);
        }
        return counter.rule() instanceof Rule.Log ? frames.get(0).grant().total() : Gift.MOST;
    }

    /**
     * The number of permits that calls have used in a window. For a frame, this includes the weighted number of permits
     * used in the earlier frames. The frames are ordered from newest to oldest.
     */
    private static long used(LiveCounter counter, List<Look> frames, long nowMillis) {
        long used = used(frames.get(0));
        if (frames.size() > 1) {
            long whole = frames.subList(1, frames.size() - 1).stream()
                    .mapToLong(CounterGifts::used)
                    .sum();
            long start = counter.key().start();
            used += SlidingWindow.weightOfPast(
                    whole,
                    used(frames.get(frames.size() - 1)),
                    nowMillis - start,
                    counter.key().end() - start);
        }
        return Math.max(0, used);
    }

    /** The number of permits that calls have used, excluding held, lapsed and given permits. */
    private static long used(Look look) {
        return look.grant().total()
                - look.grant().elsewhere()
                - lapsed(look)
                - look.grant().given();
    }

    private static long lapsed(Look look) {
        return look.lapsed().stream().mapToLong(one -> one.permits()).sum();
    }

    private CompletionStage<List<Given>> send(List<LiveCounter> asked, List<Long> calls, List<Look> looks) {
        List<Statement> statements = new ArrayList<>();
        for (int n = 0; n < asked.size(); n++) {
            if (calls.get(n) > 0) {
                LiveCounter counter = asked.get(n);
                statements.add(new Statement(
                        counter.key(),
                        List.of(),
                        0,
                        Need.NONE,
                        0,
                        LEASE_MILLIS,
                        counter.rule(),
                        false,
                        new Gift(calls.get(n), 0)));
            }
        }
        CompletionStage<List<Grant>> answers = CompletableFuture.completedFuture(List.of());
        for (int from = 0; from < statements.size(); from += MOST_AT_ONCE) {
            List<Statement> some = statements.subList(from, Math.min(statements.size(), from + MOST_AT_ONCE));
            answers = answers.thenCompose(before -> send(some).thenApply(more -> {
                List<Grant> all = new ArrayList<>(before);
                all.addAll(more);
                return all;
            }));
        }
        return answers.thenApply(grants -> given(asked, calls, looks, grants))
                .thenCompose(given -> withRest(asked, calls, looks, given));
    }

    /**
     * Sends the rest of a gift to a log, because a store might remove only some of the calls in a long log in one
     * exchange.
     */
    private CompletionStage<List<Given>> withRest(
            List<LiveCounter> asked, List<Long> calls, List<Look> looks, List<Given> done) {
        int[] rest = IntStream.range(0, asked.size())
                .filter(n -> asked.get(n).rule() instanceof Rule.Log)
                .filter(n -> done.get(n).given() > 0 && done.get(n).given() < calls.get(n))
                .toArray();
        if (rest.length == 0) {
            return CompletableFuture.completedFuture(done);
        }
        return send(
                        Arrays.stream(rest).mapToObj(asked::get).toList(),
                        Arrays.stream(rest)
                                .mapToObj(n -> calls.get(n) - done.get(n).given())
                                .toList(),
                        Arrays.stream(rest).mapToObj(looks::get).toList())
                .thenApply(more -> {
                    List<Given> all = new ArrayList<>(done);
                    for (int i = 0; i < rest.length; i++) {
                        all.set(rest[i], done.get(rest[i]).and(more.get(i).given()));
                    }
                    return all;
                });
    }

    /** Sends a batch after the previous batch has completed or failed. */
    private synchronized CompletionStage<List<Grant>> send(List<Statement> statements) {
        sequence++;
        Batch batch = new Batch(sender, sequence, statements);
        last = last.handle((done, failure) -> true)
                .thenCompose(ended -> store.exchange(batch))
                .thenApply(Batch.Reply::grants);
        return last;
    }

    private static List<Given> given(List<LiveCounter> asked, List<Long> calls, List<Look> looks, List<Grant> grants) {
        List<Given> all = new ArrayList<>();
        int answered = 0;
        for (int n = 0; n < asked.size(); n++) {
            Look look = looks.get(n);
            boolean isWindow = hasWindow(asked.get(n).rule());
            long inAll = calls.get(n) > 0
                    ? grants.get(answered++).given()
                    : look.grant().given();
            long given = calls.get(n) == 0 ? 0 : isWindow ? Math.min(calls.get(n), inAll) : inAll;
            all.add(new Given(asked.get(n).key(), given, inAll, look.grant().elsewhere(), lapsed(look)));
        }
        return all;
    }
}

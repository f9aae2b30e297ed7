package dev.sluice.store;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Short notation for tests of stores: unique keys, statements in one line, and answers that are waited for. */
public final class Exchanges {

    private Exchanges() {}

    /** Counters of an endpoint with a name of its own, in one window. */
    public static CounterKey key(String endpoint, String tenant, long start, long end) {
        Subject subject = new Subject("tenant", "header:X-Org-Id", tenant);
        return new CounterKey(endpoint, "GET", "10s", List.of(subject), start, end);
    }

    public static String unique() {
        return UUID.randomUUID().toString();
    }

    /** A statement to be made up, of a counter of that rule. */
    public static Asked statementOf(CounterKey key, Rule rule) {
        return new Asked(key, rule);
    }

    /** A statement to be made up, of a window in which so many calls may come. */
    public static Asked statementOf(CounterKey key, long cap) {
        return statementOf(key, new Rule.Total(cap));
    }

    /** Reports so many calls, and asks for nothing. */
    public static Statement report(CounterKey key, long used) {
        return statementOf(key, 1_000_000).used(used).statement();
    }

    /** Asks how many calls there were. */
    public static Statement question(CounterKey key) {
        return statementOf(key, 1_000_000).statement();
    }

    /** A statement in the making. */
    public static final class Asked {
        private final CounterKey key;
        private final Rule rule;
        private final List<Batch.Use> uses = new ArrayList<>();
        private long held;
        private long needed;
        private long leastAtOnce;
        private int repeats;
        private long wanted;
        private Duration lease = Duration.ofSeconds(5);
        private boolean mayReturn;
        private Batch.Gift gift = Batch.Gift.NONE;
        private boolean mayReturnGranted;

        private Asked(CounterKey key, Rule rule) {
            this.key = key;
            this.rule = rule;
        }

        public Asked used(long calls) {
            return used(Duration.ZERO, calls);
        }

        public Asked used(Duration ago, long calls) {
            if (calls != 0) {
                uses.add(new Batch.Use(ago.toMillis(), calls));
            }
            return this;
        }

        public Asked holding(long permits) {
            held = permits;
            return this;
        }

        public Asked needing(long permits) {
            needed = permits;
            return this;
        }

        /** Calls wait that pass once they have so many permits, each no fewer than {@code least}. */
        public Asked needingAtOnce(long permits, long least) {
            needed = permits;
            leastAtOnce = least;
            return this;
        }

        /** The store was asked so often before. */
        public Asked repeatedly(int times) {
            repeats = times;
            return this;
        }

        public Asked wanting(long permits) {
            wanted = permits;
            return this;
        }

        /** An operator gives calls. */
        public Asked giving(long calls) {
            gift = new Batch.Gift(calls, 0);
            return this;
        }

        /** So much was given, as far as the sender knows. */
        public Asked knowingGiven(long calls) {
            gift = Batch.Gift.known(calls);
            return this;
        }

        /** Calls of the sender are in flight that may return what they took. */
        public Asked mayReturn() {
            mayReturn = true;
            return this;
        }

        /** The calls that wait may return what they get. */
        public Asked mayReturnGranted() {
            mayReturnGranted = true;
            return this;
        }

        public Asked leasedFor(Duration time) {
            lease = time;
            return this;
        }

        public Statement statement() {
            boolean isUsedAtOnce = leastAtOnce > 0;
            long least = isUsedAtOnce ? leastAtOnce : Math.min(needed, 1);
            Batch.Need need = new Batch.Need(needed, least, isUsedAtOnce, mayReturnGranted, repeats);
            return new Statement(key, uses, held, need, wanted, lease.toMillis(), rule, mayReturn, gift);
        }
    }

    /** Asks for the store's clock alone. */
    public static Batch batch(String instance, long sequence) {
        return new Batch(instance, sequence, List.of());
    }

    public static Batch batch(String instance, long sequence, Asked... statements) {
        return new Batch(
                instance,
                sequence,
                Arrays.stream(statements).map(Asked::statement).toList());
    }

    public static Batch batch(String instance, long sequence, Statement... statements) {
        return new Batch(instance, sequence, List.of(statements));
    }

    /** The answer to a batch; a store that gives none within 20 seconds hangs. */
    public static Batch.Reply exchange(CounterStore store, Batch batch) {
        try {
            return store.exchange(batch).toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof StoreException trouble) {
                throw trouble;
            }
            throw new AssertionError("a store fails with a StoreException, not with this", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("the store hangs", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public static Batch.Grant grant(CounterStore store, Batch batch) {
        return exchange(store, batch).grants().get(0);
    }

    /** The answer to a batch that is sent again and again until the store is well enough to answer. */
    public static Batch.Reply exchangeInTheEnd(CounterStore store, Batch batch) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                return exchange(store, batch);
            } catch (StoreException e) {
                if (!e.temporary() || System.nanoTime() > deadline) {
                    throw e;
                }
                Eventually.pause(5);
            }
        }
    }
}

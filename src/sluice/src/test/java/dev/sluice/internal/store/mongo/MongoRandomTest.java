package dev.sluice.internal.store.mongo;

import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.mongo.MongoServerInProcess.LateWrite;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.store.Exchanges.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Instances write the same counters at once, and what they send is cut, comes twice, or comes late: each batch counts
 * once, and what all of them may use is never more than the limit.
 */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
@Tag("thorough")
class MongoRandomTest {

    private static final int INSTANCES = 4;
    private static final int BATCHES = 20;
    private static final int LIMIT = 60;
    private static final List<Rule> RULES =
            List.of(new Rule.Total(LIMIT), new Rule.Log(LIMIT, 3_600_000), new Rule.Total(LIMIT));
    private static final Duration LEASE = Duration.ofMinutes(30);

    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final String endpoint = unique();
    private final long end = System.currentTimeMillis() / 600_000 * 600_000 + 1_800_000;
    /** What instances have used or hold, by counter: of grants when they have come, of returns before they are sent. */
    private final AtomicLongArray taken = new AtomicLongArray(RULES.size());

    @AfterEach
    void close() {
        mongo.close();
    }

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("sluice.games", 2));
    }

    private CounterKey counter(int number) {
        return key(endpoint, "t" + number, 0, end);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrDoubledAndNoLimitIsPassed(long seed) {
        List<CompletableFuture<long[]>> all = IntStream.range(0, INSTANCES)
                .mapToObj(number -> CompletableFuture.supplyAsync(
                        () -> play(new Random(seed * INSTANCES + number)), task -> new Thread(task).start()))
                .toList();
        List<long[]> used = all.stream().map(CompletableFuture::join).toList();
        try (CounterStore direct = CounterStores.open(mongo.patientUri())) {
            for (int i = 0; i < RULES.size(); i++) {
                int counter = i;
                long calls = used.stream().mapToLong(own -> own[counter]).sum();
                assertThat(total(direct, counter)).as("of counter " + i).isEqualTo(calls);
                assertThat(calls).isPositive();
            }
        }
    }

    private long total(CounterStore direct, int counter) {
        Statement question = RULES.get(counter) instanceof Rule.Log
                ? statementOf(counter(counter), RULES.get(counter)).statement()
                : question(counter(counter));
        return exchangeInTheEnd(direct, new Batch(unique(), 1, List.of(question)))
                .grants()
                .get(0)
                .total();
    }

    private long[] play(Random random) {
        try (FaultyProxy network = new FaultyProxy(mongo.port());
                CounterStore bad = CounterStores.open("mongodb://127.0.0.1:" + network.port() + "/?timeoutMS=5000");
                CounterStore good = CounterStores.open(mongo.patientUri())) {
            return new Sender(random, network, bad, good).play();
        }
    }

    /** One instance, with a way to the server that is bad and another that is good. */
    private final class Sender {

        private final Random random;
        private final FaultyProxy network;
        private final CounterStore bad;
        private final CounterStore good;
        private final String name = unique();
        private final long[] used = new long[RULES.size()];
        private final long[] held = new long[RULES.size()];
        private final List<CompletableFuture<Batch.Reply>> late = new ArrayList<>();
        private final List<LateWrite> delayed = new ArrayList<>();
        private long sequence;

        Sender(Random random, FaultyProxy network, CounterStore bad, CounterStore good) {
            this.random = random;
            this.network = network;
            this.bad = bad;
            this.good = good;
        }

        /** Plays all turns; returns what it has used of each counter. */
        long[] play() {
            for (int i = 0; i < BATCHES; i++) {
                Turn turn = new Turn(true);
                switch (random.nextInt(6)) {
                    case 0 -> turn.hear(sendThroughCut(turn.batch));
                    case 1 -> turn.hear(sendTwice(turn.batch, Duration.ZERO));
                    case 2 -> turn.hear(sendTwice(turn.batch, Duration.ofMillis(1 + random.nextInt(40))));
                    case 3 -> turn.hear(sendAgainAfterLateWrite(turn.batch));
                    case 4 -> giveUpWithLateWrite(turn);
                    default -> turn.hear(exchangeInTheEnd(good, turn.batch));
                }
                if (random.nextInt(3) == 0) {
                    landAll();
                }
            }
            late.forEach(one -> one.handle((reply, failure) -> reply).join());
            Turn last = new Turn(false);
            last.hear(exchangeInTheEnd(good, last.batch));
            landAll();
            return used;
        }

        private void landAll() {
            delayed.forEach(LateWrite::land);
            delayed.clear();
        }

        private Batch.Reply sendThroughCut(Batch batch) {
            FaultyProxy.Cut[] cuts = FaultyProxy.Cut.values();
            network.cutNext(cuts[random.nextInt(cuts.length)]);
            return exchangeInTheEnd(bad, batch);
        }

        /** Sends again before the first attempt is answered, whose write may come later; its reply is lost. */
        private Batch.Reply sendTwice(Batch batch, Duration later) {
            network.delayNextCall(later);
            late.add(bad.exchange(batch).toCompletableFuture());
            return exchangeInTheEnd(bad, batch);
        }

        /** The first write is done before the second, just before it is written, or later. */
        private Batch.Reply sendAgainAfterLateWrite(Batch batch) {
            LateWrite write = mongo.delayNextWrite(name);
            Batch.Reply first = exchangeOnce(batch);
            if (first != null) {
                write.land();
                return first;
            }
            landSomeTime(write);
            return exchangeInTheEnd(good, batch);
        }

        /** Another batch is sent instead, and answered, before the write of this one is done. */
        private void giveUpWithLateWrite(Turn turn) {
            LateWrite write = mongo.delayNextWrite(name);
            Batch.Reply reply = exchangeOnce(turn.batch);
            if (reply != null) {
                write.land();
                turn.hear(reply);
                return;
            }
            assertThat(write.isCut()).isTrue();
            turn.undo();
            Turn next = new Turn(true);
            next.hear(exchangeInTheEnd(good, next.batch));
            write.land();
        }

        private Batch.@Nullable Reply exchangeOnce(Batch batch) {
            try {
                return exchange(good, batch);
            } catch (StoreException cut) {
                return null;
            }
        }

        private void landSomeTime(LateWrite write) {
            switch (random.nextInt(3)) {
                case 0 -> write.land();
                case 1 -> write.landBeforeTheNext();
                default -> delayed.add(write);
            }
        }

        /** Some counters' statements: uses some of what it holds, returns some, and needs and wants more. */
        private final class Turn {

            private final List<Integer> counters = new ArrayList<>();
            private final long[] usedBefore = used.clone();
            private final long[] heldBefore = held.clone();
            private final Batch batch;

            Turn(boolean goesOn) {
                List<Statement> statements = new ArrayList<>();
                for (int i = 0; i < RULES.size(); i++) {
                    if (goesOn && random.nextBoolean()) {
                        continue;
                    }
                    long using = random.nextInt(6) == 0 ? Math.min(held[i], 1) : 0;
                    long keeping = goesOn ? random.nextLong(held[i] - using + 1) : 0;
                    used[i] += using;
                    held[i] = keeping;
                    counters.add(i);
                    Asked statement = statementOf(counter(i), RULES.get(i))
                            .used(using)
                            .holding(keeping)
                            .leasedFor(LEASE);
                    statements.add(goesOn ? asking(statement) : statement.statement());
                }
                takeBack();
                batch = new Batch(name, ++sequence, statements);
            }

            private Statement asking(Asked statement) {
                int needed = random.nextInt(5);
                Asked needing = needed > 0 && random.nextBoolean()
                        ? statement.needingAtOnce(needed, 1)
                        : statement.needing(needed);
                return needing.wanting(random.nextInt(5)).statement();
            }

            private void takeBack() {
                for (int i : counters) {
                    taken.addAndGet(i, held[i] + used[i] - heldBefore[i] - usedBefore[i]);
                }
            }

            void hear(Batch.Reply reply) {
                for (int i = 0; i < counters.size(); i++) {
                    int counter = counters.get(i);
                    long granted = reply.grants().get(i).granted();
                    long usedAtOnce = batch.statements().get(i).needed().usedOf(granted);
                    used[counter] += usedAtOnce;
                    held[counter] += granted - usedAtOnce;
                    assertThat(taken.addAndGet(counter, granted))
                            .as("of counter " + counter)
                            .isLessThanOrEqualTo(LIMIT);
                }
            }

            /** The batch was not applied, and never will be. */
            void undo() {
                for (int i : counters) {
                    taken.addAndGet(i, heldBefore[i] + usedBefore[i] - held[i] - used[i]);
                    used[i] = usedBefore[i];
                    held[i] = heldBefore[i];
                }
            }
        }
    }
}

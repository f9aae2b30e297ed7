package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many instances at the same time. */
public abstract class TogetherContract extends ContractPart {

    protected TogetherContract(StoreUnderTest tested) {
        super(tested);
    }

    @Test
    void instancesThatRaceForTheLastCallsGetExactlyWhatThereIs() throws Exception {
        CounterKey acme = key("acme");
        List<Long> used = sharing(4, number -> {
            Random random = new Random(number);
            long sum = 0;
            long held = 0;
            try (CounterStore own = open()) {
                for (int sequence = 1; sequence <= 300; sequence++) {
                    long using = Math.min(held, random.nextInt(9));
                    held -= using;
                    sum += using;
                    Grant grant = grant(
                            own,
                            batch(
                                    number + instance,
                                    sequence,
                                    statementOf(acme, 1000)
                                            .used(using)
                                            .holding(held)
                                            .needing(random.nextInt(3))
                                            .wanting(random.nextInt(9))));
                    held += grant.granted();
                    assertThat(grant.total()).isLessThanOrEqualTo(1000);
                }
                exchange(
                        own,
                        batch(number + instance, 301, statementOf(acme, 1000).used(held)));
                return sum + held;
            }
        });
        assertThat(used.stream().mapToLong(Long::longValue).sum()).isEqualTo(1000);
        assertThat(total(acme)).isEqualTo(1000);
    }

    @Test
    void nothingIsLostOrInvented() throws Exception {
        List<Long> added = sharing(4, number -> {
            Random random = new Random(number);
            long sum = 0;
            for (int sequence = 1; sequence <= 100; sequence++) {
                List<Statement> statements = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    long used = random.nextInt(5);
                    sum += used;
                    statements.add(statementOf(key("t" + i), 1_000_000)
                            .used(used)
                            .holding(sequence == 100 ? 0 : random.nextInt(9))
                            .statement());
                }
                Batch batch = new Batch(number + instance, sequence, statements);
                exchange(store, batch);
                if (random.nextBoolean()) {
                    exchange(store, batch);
                }
            }
            return sum;
        });
        Statement[] questions =
                IntStream.range(0, 20).mapToObj(i -> question(key("t" + i))).toArray(Statement[]::new);
        long total = exchange(store, batch(instance, 1, questions)).grants().stream()
                .mapToLong(Grant::total)
                .sum();
        assertThat(total).isEqualTo(added.stream().mapToLong(Long::longValue).sum());
    }

    private List<Long> sharing(int threads, Part part) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Long>> parts = IntStream.range(0, threads)
                    .<Callable<Long>>mapToObj(number -> () -> part.run(number))
                    .toList();
            List<Long> results = new ArrayList<>();
            for (Future<Long> future : executor.invokeAll(parts)) {
                results.add(future.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    /** What one thread does. */
    interface Part {
        long run(int number);
    }
}

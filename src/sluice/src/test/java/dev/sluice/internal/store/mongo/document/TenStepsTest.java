package dev.sluice.internal.store.mongo.document;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.sluice.CounterKey;
import dev.sluice.cell.CellState;
import dev.sluice.cell.ExchangeNews;
import dev.sluice.exchange.Batch;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.mongo.document.CounterDocuments.Write;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How two instances count one client in one document, step by step. Each knows the global count that it has read, and
 * has an instance count of what it has admitted since; "4/1" is 4 globally and 1 of its own.
 */
@Tag("store")
class TenStepsTest {

    private static final long NOW = 1_000_000;

    private final CounterKey key = key("get-product", "acme", 0, 10_000_000);
    private final String id = CounterDocument.id(key);
    private long sequence;

    /** An instance with its two counts, and the document as it has read it. */
    private final class Instance {
        private final String name;
        private final CounterDocuments counters;
        private CounterDocument read = CounterDocument.absent(id);
        private long global;
        private long own;

        Instance(String name, CounterDocuments counters) {
            this.name = name;
            this.counters = counters;
        }

        void admit(int calls) {
            own += calls;
        }

        void refresh() {
            Document found = counters.read(List.of(id)).get(id);
            read = found == null ? CounterDocument.absent(id) : CounterDocument.of(found, NOW);
            global = read.states().values().stream()
                    .mapToLong(state -> ((CellState.Total) state.contents()).used())
                    .sum();
        }

        /** Writes on top of what it has read; whether nobody else has written since. */
        boolean push() {
            Batch batch = batch(name, ++sequence, report(key, own));
            long total = read.apply(batch, batch.statements(), new ExchangeNews(), NOW)
                    .get(0)
                    .total();
            Set<String> refused = counters.write(List.of(new Write(read.written(NOW), read.versionFound())));
            if (refused.isEmpty()) {
                global = total;
                own = 0;
            }
            return refused.isEmpty();
        }

        @Override
        public String toString() {
            return global + "/" + own;
        }
    }

    @Test
    void areTaken() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                MongoClient client = MongoClients.create(mongo.uri())) {
            CounterDocuments counters = new CounterDocuments(client.getDatabase("sluice"));
            Instance one = new Instance("one", counters);
            Instance two = new Instance("two", counters);

            // 1. Nobody has called.
            one.refresh();
            two.refresh();
            assertThat(one).hasToString("0/0");
            assertThat(two).hasToString("0/0");
            // 2. The first instance admits three calls, 3. the second one.
            one.admit(3);
            two.admit(1);
            assertThat(one).hasToString("0/3");
            assertThat(two).hasToString("0/1");
            // 4. The first pushes: the document is born.
            assertThat(one.push()).isTrue();
            assertThat(one).hasToString("3/0");
            // 5. It admits another call, 6. refreshes, and pushes that too.
            one.admit(1);
            one.refresh();
            assertThat(one).hasToString("3/1");
            assertThat(one.push()).isTrue();
            assertThat(one).hasToString("4/0");
            // 7. The second pushes what it has, on top of what it read in the beginning: the overwrite is refused.
            assertThat(two.push()).isFalse();
            assertThat(stored(counters)).as("nothing is lost").isEqualTo(4);
            // 8. It refreshes.
            two.refresh();
            assertThat(two).hasToString("4/1");
            // 9. It pushes again.
            assertThat(two.push()).isTrue();
            assertThat(two).hasToString("5/0");
            assertThat(stored(counters)).isEqualTo(5);
            // 10. The first learns of it.
            one.refresh();
            assertThat(one).hasToString("5/0");
        }
    }

    private long stored(CounterDocuments counters) {
        Document counts = counters.read(List.of(id)).get(id).get("requestCounters", Document.class);
        return counts.getLong("0");
    }
}

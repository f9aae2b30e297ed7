package dev.sluice.internal.store;

import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.perTenSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.VirtualTimeFleet;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A caller has one name, however long: reports and the keys of stores have the same. */
class LongValueTest {

    private static final int LONGEST = 64;

    @ParameterizedTest
    @CsvSource({"x, 64", "x, 65", "é, 64", "é, 65", "x, 5000"})
    void standsInReportsAsInKeys(String character, int length) {
        Keys keys = new Keys();
        InstantSource clock = () -> Instant.ofEpochMilli(1_700_000_000_000L);
        try (VirtualTimeFleet fleet = new VirtualTimeFleet(
                TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))), clock, keys, 1)) {
            String value = character.repeat(length);
            Decision decision = fleet.decide(0, TestCall.get("/product/1").of(value));
            fleet.step();
            String reported = decision.subjects().get(0).value();
            if (length <= LONGEST) {
                assertThat(reported).isEqualTo(value);
            } else {
                assertThat(reported).matches("sha256-[0-9a-f]{64}");
            }
            assertThat(keys.texts)
                    .isNotEmpty()
                    .allMatch(text -> text.contains("=" + reported.replace("é", "%c3%a9") + ":get-product:"));
        }
    }

    /** Notes the keys of the counters that it is asked for. */
    private static final class Keys implements CounterStore {

        private final CounterStore store =
                new InMemoryCounterStore(InstantSource.system(), InMemoryCounterStore.DEFAULT_MAXIMUM);
        private final Set<String> texts = new HashSet<>();

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            batch.statements().forEach(statement -> texts.add(statement.key().text()));
            return store.exchange(batch);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}

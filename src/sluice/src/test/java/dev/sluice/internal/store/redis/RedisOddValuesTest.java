package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.redis.connection.RedisAddressParser;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis counts, whatever time or number it finds under our keys, and whatever language the application speaks. */
@Tag("store")
class RedisOddValuesTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private final CounterStore store =
            RedisCounterStore.open(RedisAddressParser.parse(redis.patientUri()), TimeToLive.USUAL);
    private final String instance = Exchanges.unique();
    private final long now = System.currentTimeMillis();

    @AfterEach
    void close() {
        store.close();
    }

    private Batch.Grant ask(long sequence, CounterKey key, Rule rule, long used, long needed) {
        return exchange(
                        store,
                        batch(
                                instance,
                                sequence,
                                statementOf(key, rule).used(used).needing(needed)))
                .grants()
                .get(0);
    }

    /** Redis's clock was an hour ahead when it noted the calls. */
    @Test
    void callsOfABucketInTheFutureCountAsNow() {
        CounterKey key = key("bucket", Exchanges.unique(), 0, 0);
        Rule tenASecond = new Rule.Bucket(1_000, 10, 10_000, 11_000);
        redis.call("SET", key.text(), "1000/10 " + (now + 3_600_000) + " 1", "PX", "60000");
        assertThat(ask(1, key, tenASecond, 0, 5).granted()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar-EG", "fa-IR", "hi-IN-u-nu-deva"})
    void countsInEveryLocale(String language) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(language));
        try {
            CounterKey key = key("window", Exchanges.unique(), now - 1_000, now + 600_000);
            assertThat(ask(1, key, new Rule.Total(10), 3, 1).total()).isEqualTo(4);
            assertThat(ask(2, key, new Rule.Total(10), 3, 1).total()).isEqualTo(7);
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000000000000000", "999999999999999999"})
    void aCountThatIsTooLargeCountsAsTheLargest(String value) {
        CounterKey key = key("window", Exchanges.unique(), now - 1_000, now + 600_000);
        redis.call("SET", key.text(), value, "PX", "60000");
        Rule rule = new Rule.Total(1_000_000_000_000L);
        assertThat(ask(1, key, rule, -3, 1)).isEqualTo(new Batch.Grant(999_999_999_999_996L, 0, 0));
        assertThat(ask(2, key, rule, 10, 1)).isEqualTo(new Batch.Grant(999_999_999_999_999L, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"007", "-0", "+3", "many"})
    void aValueThatRedisCannotIncrementIsReplaced(String value) {
        CounterKey key = key("window", Exchanges.unique(), now - 1_000, now + 600_000);
        redis.call("SET", key.text(), value, "PX", "60000");
        assertThat(ask(1, key, new Rule.Total(10), 3, 0).total()).isEqualTo(3);
    }
}

package dev.sluice.store;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.algorithm.Gcra;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.store.cell.ExchangeNews;
import dev.sluice.store.mongo.exchange.CounterDocument;
import dev.sluice.store.redis.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an instance of the version before left in a store, as it was recorded when that instance was killed: this version
 * counts on from there. Each limit of 60 was called twelve times, of which eight are not reported where shares are taken.
 */
class BeforeThisVersionTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static final String BEFORE = "old-1";
    private static final Pattern SINCE_RECORDED = Pattern.compile("@([+-]\\d+)");
    /** When the documents were recorded; the window of an hour began 28 minutes before. */
    private static final long MONGO_MILLIS = 1_795_645_726_900L;

    private static final long WINDOW = 3_600_000;
    private static final Gcra GCRA = Gcra.of(60, WINDOW, 60);
    private static final Rule BUCKET = new Rule.Bucket(GCRA.token(), GCRA.milli(), GCRA.depth(), GCRA.furthest());

    /** A limit whose counter was recorded. */
    private enum Recorded {
        FIXED_WINDOW("fixed-window", "1h", new Rule.Total(60), 46),
        SLIDING_WINDOW("sliding-window", "1h-sliding-window", new Rule.Frame(60, 1), 46),
        TOKEN_BUCKET("token-bucket", "1h-token-bucket", BUCKET, 46),
        LEAKY_BUCKET("leaky-bucket", "1h-leaky-bucket", BUCKET, 46),
        SLIDING_LOG("sliding-log", "1h-sliding-log", new Rule.Log(60, WINDOW), 48);

        final String endpoint;
        final String tier;
        final Rule rule;
        /** What the instance before neither used nor holds. */
        final long left;

        Recorded(String endpoint, String tier, Rule rule, long left) {
            this.endpoint = endpoint;
            this.tier = tier;
            this.rule = rule;
            this.left = left;
        }

        /** The counter in the window that began then, if it has windows. */
        CounterKey key(long startMillis) {
            boolean hasWindow = rule instanceof Rule.Total || rule instanceof Rule.Frame;
            List<Subject> acme = List.of(new Subject("tenant", "header:X-Org-Id", "acme"));
            return hasWindow
                    ? new CounterKey(endpoint, "GET", tier, acme, startMillis, startMillis + WINDOW)
                    : new CounterKey(endpoint, "GET", tier, acme, 0, 0);
        }
    }

    private static Stream<String> lines(String file) throws IOException {
        try (InputStream in = BeforeThisVersionTest.class.getResourceAsStream("before/" + file)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).lines();
        }
    }

    /** Writes all as if it were recorded now; returns when the window began. */
    private static long restore() throws IOException {
        long now = System.currentTimeMillis();
        lines("redis.txt").forEach(line -> {
            Matcher times = SINCE_RECORDED.matcher(line.replace("\\n", "\n"));
            redis.call(times.replaceAll(time -> now + Long.parseLong(time.group(1)) + "").split("\t"));
        });
        return now - 1_299_446;
    }

    @ParameterizedTest
    @EnumSource
    void redisGrantsWhatIsLeftAndHearsOfTheInstanceBefore(Recorded recorded) throws IOException {
        CounterKey key = recorded.key(restore());
        try (CounterStore store = CounterStores.open(redis.patientUri())) {
            Batch asks = batch("new-1", 1, statementOf(key, recorded.rule).needing(60));
            long elsewhere = recorded == Recorded.SLIDING_LOG ? 0 : 10;
            assertThat(exchange(store, asks).grants())
                    .extracting(Grant::granted, Grant::elsewhere)
                    .containsExactly(tuple(recorded.left, elsewhere));
            if (recorded != Recorded.SLIDING_LOG) {
                Batch reports = batch(BEFORE, 91, statementOf(key, recorded.rule).used(8));
                assertThat(exchange(store, reports).grants()).extracting(Grant::elsewhere).containsExactly(46L);
                Batch again = batch("new-1", 2, statementOf(key, recorded.rule).holding(46).needing(60));
                assertThat(exchange(store, again).grants()).extracting(Grant::granted).containsExactly(2L);
            }
        }
    }

    @Test
    void redisAnswersABatchAgainThatWasAppliedBefore() throws IOException {
        restore();
        CounterKey places = new CounterKey("places", "*", "concurrency", Recorded.FIXED_WINDOW.key(0).subjects(), 0, 0);
        try (CounterStore store = CounterStores.open(redis.patientUri())) {
            Rule rule = new Rule.Places(6, 0, 0, Long.MAX_VALUE);
            Batch again = batch(BEFORE, 90, statementOf(places, rule).needing(3)); // would now be granted
            assertThat(exchange(store, again).grants()).containsExactly(new Grant(2, 2, 0));
            Batch asks = batch("new-1", 1, statementOf(places, rule).needing(6));
            assertThat(exchange(store, asks).grants()).extracting(Grant::granted).containsExactly(4L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void mongoGrantsWhatIsLeft(Recorded recorded) throws IOException {
        CounterKey key = recorded.key(1_795_644_000_000L);
        Document found = lines("mongo.json")
                .map(Document::parse)
                .filter(one -> one.get("_id").equals(CounterDocument.id(key)))
                .findFirst()
                .orElseThrow();
        Batch asks = batch("new-1", 1, statementOf(key, recorded.rule).needing(60));
        assertThat(CounterDocument.of(found, MONGO_MILLIS).apply(asks, asks.statements(), new ExchangeNews(), MONGO_MILLIS))
                .extracting(Grant::granted)
                .containsExactly(recorded.left);
    }
}

package dev.sluice.internal.store;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.internal.store.mongo.exchange.CounterDocument;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges.Asked;
import dev.sluice.store.cell.ExchangeNews;
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
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An instance of the version before was killed, and what it left in a store was recorded. This version counts on from there.
 * Twelve calls were made under each limit of 60. Where the instance took shares, it had not reported eight of the twelve.
 */
class BeforeThisVersionTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static final String BEFORE = "old-1";
    private static final Pattern SINCE_RECORDED = Pattern.compile("@([+-]\\d+)");
    /** When the documents were recorded; the window of an hour began 28 minutes before. */
    private static final long MONGO_MILLIS = 1_795_645_726_900L;

    private static final List<Subject> ACME = List.of(new Subject("tenant", "header:X-Org-Id", "acme"));
    private static final long WINDOW = 3_600_000;
    private static final Gcra GCRA = Gcra.of(60, WINDOW, 60);
    private static final Rule BUCKET = new Rule.Bucket(GCRA.token(), GCRA.milli(), GCRA.depth(), GCRA.furthest());

    /**
     * A limit whose counter was recorded.
     *
     * @param left what the instance before neither used nor holds
     * @param held what it holds as far as the store knows
     */
    private record Recorded(String endpoint, String tier, Rule rule, long left, long held) {

        /** The counter in the window that began then, if it has windows. */
        CounterKey key(long startMillis) {
            boolean hasWindow = rule instanceof Rule.Total || rule instanceof Rule.Frame;
            return hasWindow
                    ? new CounterKey(endpoint, "GET", tier, ACME, startMillis, startMillis + WINDOW)
                    : new CounterKey(endpoint, "GET", tier, ACME, 0, 0);
        }
    }

    static Stream<Recorded> recorded() {
        return Stream.of(
                new Recorded("fixed-window", "1h", new Rule.Total(60), 46, 10),
                new Recorded("sliding-window", "1h-sliding-window", new Rule.Frame(60, 1), 46, 10),
                new Recorded("token-bucket", "1h-token-bucket", BUCKET, 46, 10),
                new Recorded("leaky-bucket", "1h-leaky-bucket", BUCKET, 46, 10),
                new Recorded("sliding-log", "1h-sliding-log", new Rule.Log(60, WINDOW), 48, 0));
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
            redis.call(times.replaceAll(time -> now + Long.parseLong(time.group(1)) + "")
                    .split("\t"));
        });
        return now - 1_299_446;
    }

    private static Grant grant(CounterStore store, String instance, long sequence, Asked statement) {
        return exchange(store, batch(instance, sequence, statement)).grants().get(0);
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void redisGrantsWhatIsLeftAndHearsOfTheInstanceBefore(Recorded recorded) throws IOException {
        CounterKey key = recorded.key(restore());
        Rule rule = recorded.rule;
        try (CounterStore store = CounterStores.open(redis.patientUri())) {
            Grant first = grant(store, "new-1", 1, statementOf(key, rule).needing(60));
            assertThat(List.of(first.granted(), first.elsewhere())).containsExactly(recorded.left, recorded.held);
            if (recorded.held > 0) {
                Grant last = grant(store, BEFORE, 91, statementOf(key, rule).used(8)); // and returns two
                assertThat(last.elsewhere()).isEqualTo(46);
                Asked more = statementOf(key, rule).holding(46).needing(60);
                assertThat(grant(store, "new-1", 2, more).granted()).isEqualTo(2);
            }
        }
    }

    @Test
    void redisAnswersABatchAgainThatWasAppliedBefore() throws IOException {
        restore();
        CounterKey places = new CounterKey("places", "*", "concurrency", ACME, 0, 0);
        Rule rule = new Rule.Places(6, 0, 0, Long.MAX_VALUE);
        try (CounterStore store = CounterStores.open(redis.patientUri())) {
            Asked asked = statementOf(places, rule).needing(3); // which would be granted now
            assertThat(grant(store, BEFORE, 90, asked)).isEqualTo(new Grant(2, 2, 0));
            assertThat(grant(store, "new-1", 1, statementOf(places, rule).needing(6))
                            .granted())
                    .isEqualTo(4);
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void mongoGrantsWhatIsLeft(Recorded recorded) throws IOException {
        CounterKey key = recorded.key(1_795_644_000_000L);
        Document found = lines("mongo.json")
                .map(Document::parse)
                .filter(one -> one.get("_id").equals(CounterDocument.id(key)))
                .findFirst()
                .orElseThrow();
        Batch asks = batch("new-1", 1, statementOf(key, recorded.rule).needing(60));
        assertThat(CounterDocument.of(found, MONGO_MILLIS)
                        .apply(asks, asks.statements(), new ExchangeNews(1), MONGO_MILLIS))
                .extracting(Grant::granted)
                .containsExactly(recorded.left);
    }
}

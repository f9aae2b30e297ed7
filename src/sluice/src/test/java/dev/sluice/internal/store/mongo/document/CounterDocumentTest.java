package dev.sluice.internal.store.mongo.document;

import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import dev.sluice.CounterKey;
import dev.sluice.cell.Cell;
import dev.sluice.cell.Cells;
import dev.sluice.cell.ExchangeNews;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.store.Exchanges.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters that are documents between any two batches answer like cells that are kept, and do not grow for ever. */
class CounterDocumentTest {

    private static final Codec<Document> CODEC =
            MongoClientSettings.getDefaultCodecRegistry().get(Document.class);
    private static final Gcra GCRA = Gcra.of(5, 60_000, 5);
    private static final Gcra RAISED = Gcra.of(12, 60_000, 12);
    private static final List<Rule> RULES = List.of(
            new Rule.Total(20),
            new Rule.Frame(20, 3),
            bucket(GCRA),
            new Rule.Log(20, 5_000),
            new Rule.Slots(10, 1, 0, Long.MAX_VALUE));
    private static final long WINDOW = 10_000;

    /** What the server would hold, as bytes. */
    private final Map<String, RawBsonDocument> documents = new HashMap<>();

    private final Map<CounterKey, Cell> kept = new HashMap<>();
    private long nowMillis = 1_000_000_000;

    private Statement statement(int rule, Random random) {
        boolean hasWindow = RULES.get(rule) instanceof Rule.Total || RULES.get(rule) instanceof Rule.Frame;
        long start = hasWindow ? nowMillis / WINDOW * WINDOW : 0;
        CounterKey key = key("orders", "caller-" + rule, start, hasWindow ? start + WINDOW : 9_000_000_000_000L);
        return statementOf(key, usedBy(RULES.get(rule), random))
                .used(Duration.ofMillis(random.nextInt(500)), random.nextInt(4) - 1)
                .holding(random.nextInt(3))
                .needing(random.nextInt(3))
                .wanting(random.nextInt(4))
                .leasedFor(Duration.ofMillis(500 + random.nextInt(5_000)))
                .statement();
    }

    private static Rule bucket(Gcra gcra) {
        return new Rule.Bucket(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
    }

    /** The limit of a bucket changes now and then. */
    private static Rule usedBy(Rule rule, Random random) {
        if (rule instanceof Rule.Bucket && random.nextInt(10) == 0) {
            return bucket(RAISED);
        }
        return rule instanceof Rule.Slots ? new Rule.Slots(10, random.nextInt(4), 0, Long.MAX_VALUE) : rule;
    }

    private CounterDocument read(String id) {
        RawBsonDocument found = documents.get(id);
        return found == null ? CounterDocument.absent(id) : CounterDocument.of(found.decode(CODEC), nowMillis);
    }

    /** Limits changed two seconds before. */
    private Batch batch(String instance, long sequence, Statement statement) {
        return new Batch(
                instance, sequence, nowMillis, List.of(statement), Batch.Presence.NOT_STATED, nowMillis - 2_000);
    }

    /** Writes it, if anything has changed, as the store does. */
    private Grant exchange(String instance, long sequence, Statement statement) {
        String id = CounterDocument.id(statement.key());
        CounterDocument counter = read(id);
        Batch batch = batch(instance, sequence, statement);
        Grant grant = counter.apply(batch, List.of(statement), new ExchangeNews(), nowMillis)
                .get(0);
        if (counter.isChanged()) {
            documents.put(id, new RawBsonDocument(counter.written(nowMillis), CODEC));
            CounterAnswer told = Objects.requireNonNull(read(id).lastAnswer(batch));
            assertThat(told.sequence()).isEqualTo(sequence);
            assertThat(told.of(statement.key())).isEqualTo(grant);
        }
        return grant;
    }

    private Grant keep(String instance, Statement statement) {
        kept.values().removeIf(cell -> cell.expiresAtMillis() <= nowMillis);
        Cell cell = kept.computeIfAbsent(statement.key(), key -> Cells.of(statement.rule()));
        List<Cell> before = statement.framesBefore().stream()
                .map(key -> Cells.frame(kept.get(key)))
                .toList();
        return cell.apply(batch(instance, 1, statement), statement, before, new ExchangeNews(), nowMillis);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void answerLikeCellsThatAreKept(long seed) {
        Random random = new Random(seed);
        for (int i = 1; i <= 2_000; i++) {
            nowMillis += random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(300);
            String instance = "an instance|é:%" + random.nextInt(3);
            Statement statement = statement(random.nextInt(RULES.size()), random);
            assertThat(exchange(instance, i, statement))
                    .as("step " + i + ", " + statement)
                    .isEqualTo(keep(instance, statement));
        }
    }

    /** Windows that are over, the oldest answers, and all but the latest lapsed leases go away. */
    @Test
    void doNotGrowForEver() {
        Random random = new Random(1);
        List<Integer> sizes = new ArrayList<>();
        for (int i = 1; i <= 12_000; i++) {
            nowMillis += 100;
            Grant unused = exchange("instance-" + i, i, statement(i % RULES.size(), random));
            if (i % 1_000 == 0) {
                sizes.add(documents.values().stream()
                        .mapToInt(document -> document.getByteBuffer().limit())
                        .max()
                        .orElse(0));
            }
        }
        assertThat(sizes.subList(6, sizes.size()))
                .allSatisfy(size -> assertThat(size).isLessThan(5 * sizes.get(5) / 4));
    }

    /** The largest that there can be: MongoDB takes 16 MB. */
    @Test
    void haveRoomForTheLargestLog() {
        Rule log = new Rule.Log(100_000, 3_600_000);
        CounterKey key = key("orders", "acme", 0, 9_000_000_000_000L);
        long ago = 3_000_000;
        for (int i = 1; i <= 100; i++) {
            Asked calls = statementOf(key, log);
            for (int call = 0; call < 1_000; call++) {
                calls.used(Duration.ofMillis(ago--), 1);
            }
            Grant unused = exchange("instance-" + i, i, calls.statement());
        }
        RawBsonDocument document = documents.get(CounterDocument.id(key));
        assertThat(document.getByteBuffer().limit()).isBetween(4_000_000, 5_000_000);
        assertThat(exchange("i", 1, statementOf(key, log).statement()).total()).isEqualTo(100_000);
    }
}

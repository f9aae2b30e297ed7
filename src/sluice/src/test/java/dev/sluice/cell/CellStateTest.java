package dev.sluice.cell;

import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.algorithm.Gcra;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cell that is written and read between any two statements answers like one that is kept. */
class CellStateTest {

    private static final Gcra GCRA = Gcra.of(5, 60_000, 5);
    private static final Gcra RAISED = Gcra.of(12, 60_000, 12);

    static Stream<Rule> rules() {
        return Stream.of(
                new Rule.Total(10),
                new Rule.Frame(10, 1),
                bucket(GCRA),
                new Rule.Log(10, 5_000),
                new Rule.Slots(10, 1, 0, Long.MAX_VALUE));
    }

    private static Rule bucket(Gcra gcra) {
        return new Rule.Bucket(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
    }

    @ParameterizedTest
    @MethodSource("rules")
    void answersTheSame(Rule rule) {
        play(rule, cell -> Cells.of(cell.state()));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void answersTheSameIfItIsKeptAsText(Rule rule) {
        play(rule, cell -> CellText.read(CellText.of(cell)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "total",
                "total 1",
                "total 1\n",
                "total x\n1 0",
                "total 1\n1 0\n",
                "total 1\n1 0\n=i 5",
                "bucket 1 1\n1 0",
                "log 5\n1 0",
                "slots =i 1\n1 0",
                "another 1\n1 0"
            })
    void isNotReadFromWhatIsNoText(String text) {
        assertThatThrownBy(() -> CellText.read(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void play(Rule rule, UnaryOperator<Cell> writtenAndRead) {
        Random random = new Random(7);
        CounterKey key = key("orders", "acme", 0, 60_000_000);
        Cell kept = Cells.of(rule);
        Cell written = Cells.of(rule);
        long now = 1_000_000;
        for (int i = 0; i < 2_000; i++) {
            now += random.nextInt(2_000);
            Statement statement = statementOf(key, usedBy(rule, random))
                    .used(Duration.ofMillis(random.nextInt(500)), random.nextInt(4) - 1)
                    .holding(random.nextInt(3))
                    .needing(random.nextInt(3))
                    .statement();
            String instance = "an instance\n=é%" + random.nextInt(3);
            List<Cell> before = rule instanceof Rule.Frame ? List.of(Cells.frame(null)) : List.of();
            ExchangeNews newsOfWritten = new ExchangeNews();
            ExchangeNews newsOfKept = new ExchangeNews();
            long limitsSince = now - random.nextInt(5_000);
            Batch batch = new Batch(instance, i, now, List.of(statement), Presence.NOT_STATED, limitsSince);
            assertThat(written.apply(batch, statement, before, newsOfWritten, now))
                    .isEqualTo(kept.apply(batch, statement, before, newsOfKept, now));
            assertThat(newsOfWritten.all()).isEqualTo(newsOfKept.all());
            assertThat(written.state()).isEqualTo(kept.state());
            written = writtenAndRead.apply(written);
            assertThat(written.counts(rule)).isTrue();
        }
    }

    /** The limit of a bucket changes now and then. */
    private static Rule usedBy(Rule rule, Random random) {
        if (rule instanceof Rule.Bucket && random.nextInt(10) == 0) {
            return bucket(RAISED);
        }
        return rule instanceof Rule.Slots ? new Rule.Slots(10, random.nextInt(4), 0, Long.MAX_VALUE) : rule;
    }
}

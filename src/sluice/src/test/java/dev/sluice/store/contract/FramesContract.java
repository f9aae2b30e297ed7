package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.store.Exchanges;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sliding windows: frames before weigh on the one that is asked for. */
public abstract class FramesContract extends ContractPart {

    protected FramesContract(StoreUnderTest tested) {
        super(tested);
    }

    private static final int LENGTH = 20_000;

    /** So long that no test sees it end, but its weight falls. */
    private final long first = now() / LENGTH * LENGTH - LENGTH;

    private CounterKey frame(int number) {
        return Exchanges.key(endpoint, "acme", first + (long) number * LENGTH, first + (number + 1L) * LENGTH);
    }

    /** The first frame that has not ended by the store's clock, with enough of it left. */
    private int current() {
        int number = (int) ((now() - first) / LENGTH);
        long left = first + (number + 1L) * LENGTH - now();
        if (left < 3_000) {
            letPass(Duration.ofMillis(left));
            number++;
        }
        return number;
    }

    @Test
    void tellsTheTotalsOfTheFramesBefore() {
        Rule.Frame rule = new Rule.Frame(100, 3);
        int now = current();
        ask(instance, 1, statementOf(frame(now - 1), rule).used(5));
        ask(instance, 2, statementOf(frame(now - 3), rule).used(7));
        assertThat(ask(instance, 3, statementOf(frame(now), rule).used(1)).details())
                .containsExactly(5L, 0L, 7L);
    }

    @Test
    void grantsNoMoreThanTheFramesBeforeLeave() {
        Rule.Frame rule = new Rule.Frame(100, 2);
        int now = current();
        ask(instance, 1, statementOf(frame(now - 1), rule).used(30));
        ask(instance, 2, statementOf(frame(now - 2), rule).used(40));

        long before = now();
        Grant grant = ask(instance, 3, statementOf(frame(now), rule).used(10).needing(100));
        long after = now();

        assertThat(grant.granted()).isBetween(60 - weight(40, before - 1000, now), 60 - weight(40, after + 1000, now));
        assertThat(grant.total()).isEqualTo(10 + grant.granted());
    }

    private long weight(long oldest, long millis, int frame) {
        long left = Math.max(0, Math.min(LENGTH, frame(frame).end() - millis));
        return (long) Math.ceil((double) oldest * left / LENGTH);
    }

    @Test
    void countsWhatIsHeldOfTheFramesBefore() {
        Rule.Frame rule = new Rule.Frame(100, 2);
        int now = current();
        ask(other, 1, statementOf(frame(now - 1), rule).used(20).holding(30));
        Grant grant = ask(instance, 1, statementOf(frame(now), rule).needing(100));
        assertThat(grant).isEqualTo(new Grant(50, 50, 30, List.of(50L, 0L)));
    }

    @Test
    void countsWhatWasHeldOfTheFramesBeforeAsUsedWhenTheLeaseEnds() {
        Rule.Frame rule = new Rule.Frame(100, 2);
        int now = current();
        ask(other, 1, statementOf(frame(now - 1), rule).used(20).holding(30).leasedFor(BRIEF));
        letPass(AFTER_BRIEF);
        assertThat(ask(instance, 1, statementOf(frame(now), rule).needing(100)))
                .isEqualTo(new Grant(50, 50, 0, List.of(50L, 0L)));
    }

    /**
     * A call that ends after its frame, and does not count: the next frame may use what it returns, in the same batch.
     */
    @Test
    void whatIsReturnedToAFrameBeforeIsThereForTheNextOne() {
        Rule.Frame rule = new Rule.Frame(5, 2);
        int now = current();
        ask(instance, 1, statementOf(frame(now - 1), rule).used(5));
        assertThat(ask(other, 1, statementOf(frame(now), rule).needing(1)).granted())
                .isZero();

        Batch.Reply reply = exchange(
                store,
                batch(
                        instance,
                        2,
                        statementOf(frame(now - 1), rule).used(-3),
                        statementOf(frame(now), rule).needing(4)));

        assertThat(reply.grants())
                .containsExactly(new Grant(2, 0, 0, List.of(0L, 0L)), new Grant(3, 3, 0, List.of(2L, 0L)));
    }

    @Test
    void grantsNothingOfAFrameThatIsOver() {
        Rule.Frame rule = new Rule.Frame(100, 1);
        int now = current();
        assertThat(ask(
                        instance,
                        1,
                        statementOf(frame(now - 1), rule).used(3).needing(4).wanting(5)))
                .isEqualTo(new Grant(3, 0, 0, List.of(0L)));
        assertThat(ask(instance, 2, statementOf(frame(now - 1), rule).used(3).needing(4))
                        .total())
                .isEqualTo(6);
    }
}

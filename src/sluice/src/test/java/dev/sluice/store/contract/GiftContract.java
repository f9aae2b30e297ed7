package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Gift;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News.Kind;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.store.Exchanges;
import dev.sluice.store.Exchanges.Asked;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators give passes beyond the limit, once, and says so to instances; what is held or lapsed stays. */
public abstract class GiftContract extends ContractPart {

    protected GiftContract(StoreUnderTest tested) {
        super(tested);
    }

    private static final long DAY = 86_400_000;
    private static final int LENGTH = 20_000;

    private final CounterKey acme = key("acme");

    private Asked ofTen() {
        return statementOf(acme, 10);
    }

    private static Grant grant(long total, long granted, long elsewhere, long given) {
        return new Grant(total, granted, elsewhere, List.of(), false, given);
    }

    @Test
    void letsSoManyMorePass() {
        ask(instance, 1, ofTen().used(10));
        assertThat(ask(other, 1, ofTen().giving(5))).isEqualTo(grant(10, 0, 0, 5));
        assertThat(ask(instance, 2, ofTen().needingAtOnce(9, 1))).isEqualTo(grant(15, 5, 0, 5));
        assertThat(ask(third, 1, ofTen().needing(1))).isEqualTo(grant(15, 0, 0, 5));
    }

    @Test
    void letsThemPassEvenIfNothingWasUsed() {
        assertThat(ask(other, 1, ofTen().giving(5))).isEqualTo(grant(0, 0, 0, 5));
        assertThat(ask(instance, 1, ofTen().needing(20))).isEqualTo(grant(15, 15, 0, 5));
    }

    @Test
    void addsUp() {
        ask(other, 1, ofTen().giving(5));
        ask(third, 1, ofTen().giving(2));
        assertThat(ask(instance, 1, ofTen().used(4)).given()).isEqualTo(7);
        assertThat(ask(other, 2, ofTen().giving(Gift.MOST)).given()).isEqualTo(Gift.MOST);
    }

    /** Also once nobody holds permits any more. */
    @Test
    void isKeptWhileInstancesComeAndGo() {
        ask(other, 1, ofTen().giving(5));
        ask(instance, 1, ofTen().used(3).holding(4));
        assertThat(ask(instance, 2, ofTen().used(4))).isEqualTo(grant(7, 0, 0, 5));
        assertThat(ask(third, 1, ofTen().needing(20))).isEqualTo(grant(15, 8, 0, 5));
    }

    @Test
    void leavesWhatInstancesHold() {
        ask(instance, 1, ofTen().used(4).holding(3));
        ask(other, 1, ofTen().giving(4));
        assertThat(ask(other, 2, ofTen().needing(20))).isEqualTo(grant(14, 7, 3, 4));
        assertThat(ask(instance, 2, ofTen().used(3)).total()).isEqualTo(14);
    }

    @Test
    void leavesWhatAnUnresponsiveInstanceHeld() {
        ask(instance, 1, ofTen().used(4).holding(3).leasedFor(BRIEF));
        letPass(AFTER_BRIEF);
        ask(other, 1, ofTen().giving(4));
        assertThat(ask(other, 2, ofTen().needing(20))).isEqualTo(grant(14, 7, 0, 4));
        assertThat(ask(instance, 2, ofTen().used(1)).total()).isEqualTo(12);
    }

    /** A store that has lost its data is told again, by each instance, and counts it once. */
    @Test
    void isNotedAgainOnce() {
        assertThat(ask(instance, 1, ofTen().used(3).knowingGiven(5)).given()).isEqualTo(5);
        assertThat(ask(other, 1, ofTen().used(3).knowingGiven(5)).given()).isEqualTo(5);
        assertThat(ask(third, 1, ofTen().giving(2)).given()).isEqualTo(7);
        assertThat(ask(other, 2, ofTen().knowingGiven(5).needing(20))).isEqualTo(grant(17, 11, 0, 7));
    }

    @Test
    void isGivenOnceHoweverOftenItsBatchComes() {
        CounterKey flow = key("flow");
        CounterKey log = key("log");
        exchange(
                store,
                batch(
                        instance,
                        1,
                        statementOf(flow, fiveADay).used(5),
                        statementOf(log, tenAMinute).used(10)));
        Batch batch = batch(
                other,
                1,
                ofTen().giving(5),
                statementOf(flow, fiveADay).giving(2),
                statementOf(log, tenAMinute).giving(4));
        List<Grant> first = exchange(store, batch).grants();
        assertThat(first).extracting(Grant::given).containsExactly(5L, 2L, 4L);
        assertThat(exchange(store, batch).grants()).isEqualTo(first);
        Batch all = batch(
                third,
                1,
                ofTen().needing(30),
                statementOf(flow, fiveADay).needing(30),
                statementOf(log, tenAMinute).needing(30));
        assertThat(exchange(store, all).grants()).extracting(Grant::granted).containsExactly(15L, 2L, 4L);
    }

    @Test
    void isToldToAllInstances() {
        if (tellsNews()) {
            try (CounterStore another = open()) {
                Heard bystander = Heard.by(third, another);
                ask(instance, 1, ofTen().used(4).knowingGiven(1));
                bystander.awaitLatest(another);
                assertThat(bystander.has(Kind.GIVEN, acme)).isFalse();
                ask(other, 1, ofTen().giving(5));
                bystander.await(Kind.GIVEN, acme);
            }
        }
    }

    // ---- Sliding windows

    private CounterKey frame(long start) {
        return Exchanges.key(endpoint, "acme", start, start + LENGTH);
    }

    /** The start of the present frame, of which enough is left. */
    private long present() {
        long start = now() / LENGTH * LENGTH;
        if (start + LENGTH - now() < 3_000) {
            letPass(Duration.ofMillis(start + LENGTH - now()));
            return start + LENGTH;
        }
        return start;
    }

    @Test
    void offsetsTheUseOfItsFrameInLaterOnes() {
        Rule.Frame rule = new Rule.Frame(100, 2);
        long start = present();
        ask(instance, 1, statementOf(frame(start - LENGTH), rule).used(90));
        ask(other, 1, statementOf(frame(start - LENGTH), rule).giving(40));
        assertThat(ask(instance, 2, statementOf(frame(start), rule).needing(100)))
                .isEqualTo(new Grant(50, 50, 0, List.of(50L, 0L)));
    }

    /** What was given, and not used in its frame, still offsets the use before that frame, but raises no later limit. */
    @Test
    void offsetsTheUseOfEarlierFrames() {
        Rule.Frame rule = new Rule.Frame(100, 3);
        long start = present();
        ask(instance, 1, statementOf(frame(start - 2L * LENGTH), rule).used(30));
        ask(other, 1, statementOf(frame(start - LENGTH), rule).giving(50));
        assertThat(ask(instance, 2, statementOf(frame(start), rule).needing(200)))
                .isEqualTo(new Grant(100, 100, 0, List.of(-50L, 30L, 0L)));
    }

    @Test
    void raisesTheLimitOfThePresentFrame() {
        Rule.Frame rule = new Rule.Frame(100, 1);
        long start = present();
        ask(instance, 1, statementOf(frame(start), rule).used(60));
        assertThat(ask(other, 1, statementOf(frame(start), rule).giving(50)).given())
                .isEqualTo(50);
        assertThat(ask(instance, 2, statementOf(frame(start), rule).needing(200)))
                .isEqualTo(new Grant(150, 90, 0, List.of(0L), false, 50));
    }

    // ---- Buckets

    private static Rule bucket(Gcra gcra) {
        return new Rule.Bucket(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
    }

    private final Rule fiveADay = bucket(Gcra.of(5, DAY, 5));

    @Test
    void fillsABucket() {
        ask(
                instance,
                1,
                statementOf(acme, fiveADay).used(Duration.ofSeconds(2), 2).used(3));
        assertThat(ask(other, 1, statementOf(acme, fiveADay).giving(3)).given()).isEqualTo(3);
        assertThat(ask(instance, 2, statementOf(acme, fiveADay).needing(9)).granted())
                .isEqualTo(3);
    }

    @Test
    void fillsABucketAtMost() {
        ask(instance, 1, statementOf(acme, fiveADay).used(2));
        assertThat(ask(other, 1, statementOf(acme, fiveADay).giving(9)).given()).isEqualTo(2);
        assertThat(ask(other, 2, statementOf(acme, fiveADay).giving(9)).given()).isZero();
        assertThat(ask(instance, 2, statementOf(acme, fiveADay).needing(9)).granted())
                .isEqualTo(5);
    }

    @Test
    void leavesTokensThatAreHeldOrLapsed() {
        ask(instance, 1, statementOf(acme, fiveADay).holding(2));
        ask(other, 1, statementOf(acme, fiveADay).holding(1).leasedFor(BRIEF));
        letPass(AFTER_BRIEF);
        assertThat(ask(third, 1, statementOf(acme, fiveADay).used(1).giving(9)).given())
                .isEqualTo(1);
        assertThat(ask(third, 2, statementOf(acme, fiveADay).needing(9)).granted())
                .isEqualTo(2);
    }

    // ---- Logs

    private final Rule tenAMinute = new Rule.Log(10, 60_000);

    /** The latest calls would have counted longest. */
    @Test
    void takesTheLatestCallsOutOfALog() {
        ask(
                instance,
                1,
                statementOf(acme, tenAMinute).used(Duration.ofSeconds(50), 3).used(6));
        Grant given = ask(other, 1, statementOf(acme, tenAMinute).giving(5));
        assertThat(given.given()).isEqualTo(5);
        assertThat(given.total()).isEqualTo(4);
        assertThat(given.details().get(0)).isLessThan(now() - 40_000);
        assertThat(ask(third, 1, statementOf(acme, tenAMinute).needing(9)).granted())
                .isEqualTo(6);
    }

    @Test
    void takesNoMoreOutOfALogThanCounts() {
        ask(
                instance,
                1,
                statementOf(acme, tenAMinute).used(Duration.ofSeconds(70), 3).used(2));
        assertThat(ask(other, 1, statementOf(acme, tenAMinute).giving(5)).given())
                .isEqualTo(2);
        assertThat(ask(third, 1, statementOf(acme, tenAMinute).needing(20)).granted())
                .isEqualTo(10);
    }

    /** And only that: what it has used before is given. */
    @Test
    void leavesWhatAnUnresponsiveInstanceHeldOfALog() {
        ask(
                instance,
                1,
                statementOf(acme, tenAMinute)
                        .used(Duration.ofSeconds(2), 4)
                        .holding(3)
                        .leasedFor(BRIEF));
        ask(other, 1, statementOf(acme, tenAMinute).used(2));
        letPass(AFTER_BRIEF);
        ask(other, 2, statementOf(acme, tenAMinute)); // the store notes that the lease has lapsed
        assertThat(ask(third, 1, statementOf(acme, tenAMinute).giving(9)).given())
                .isEqualTo(6);
        assertThat(ask(third, 2, statementOf(acme, tenAMinute)).total()).isEqualTo(3);
        assertThat(ask(instance, 2, statementOf(acme, tenAMinute).used(1)).total())
                .isEqualTo(1);
    }

    @Test
    void cannotGiveSlots() {
        Rule slots = new Rule.Slots(5, 3, 0, Long.MAX_VALUE);
        ask(instance, 1, statementOf(acme, slots));
        Grant grant = ask(
                other,
                1,
                statementOf(acme, new Rule.Slots(5, 0, 0, Long.MAX_VALUE))
                        .giving(5)
                        .needing(9));
        assertThat(grant.granted()).isEqualTo(2);
        assertThat(grant.given()).isZero();
    }
}

package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News.Kind;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.store.Exchanges;
import dev.sluice.store.Exchanges.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A lease that lapses frees nothing: what its holder held counts as used, until the holder's next statement says what
 * it really used.
 */
public abstract class LapsedLeaseContract extends ContractPart {

    protected LapsedLeaseContract(StoreUnderTest tested) {
        super(tested);
    }

    private static final Duration LEASE = Duration.ofMillis(30);
    private static final Duration AFTER_LEASE = Duration.ofMillis(130);
    private static final long DAY = 86_400_000;
    private static final int MOST_LAPSED = 512;

    private final CounterKey acme = key("acme");

    private static Rule bucket(Gcra gcra) {
        return new Rule.Bucket(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
    }

    private static Asked of(CounterKey key, Rule rule) {
        return statementOf(key, rule);
    }

    private Asked ofTen() {
        return statementOf(acme, 10);
    }

    /** An instance holds this many permits of a limit, and sends nothing until its lease is over. */
    private void lapse(String holder, long sequence, Asked statement, long permits) {
        ask(holder, sequence, statement.holding(permits).leasedFor(LEASE));
        letPass(AFTER_LEASE);
    }

    @Test
    void freesNothing() {
        lapse(instance, 1, ofTen(), 5);
        assertThat(ask(other, 1, ofTen().needing(9))).isEqualTo(new Grant(10, 5, 0));
        assertThat(ask(third, 1, ofTen().needing(1))).isEqualTo(new Grant(10, 0, 5));
    }

    @Test
    void isOverOnceTheHolderSaysWhatItUsed() {
        lapse(instance, 1, ofTen(), 5);
        ask(other, 1, ofTen().used(5));
        assertThat(ask(instance, 2, ofTen().used(2))).isEqualTo(new Grant(7, 0, 0));
        assertThat(ask(other, 2, ofTen().needing(9))).isEqualTo(new Grant(10, 3, 0));
    }

    @Test
    void isOverOnceTheHolderGoesOnHolding() {
        lapse(instance, 1, ofTen().used(1), 5);
        assertThat(total(acme)).isEqualTo(6);
        assertThat(ask(instance, 2, ofTen().used(1).holding(4))).isEqualTo(new Grant(6, 0, 0));
        assertThat(ask(other, 1, ofTen().needing(9))).isEqualTo(new Grant(10, 4, 4));
    }

    @Test
    void needsNobodyElseToNoticeIt() {
        lapse(instance, 1, ofTen(), 5);
        assertThat(ask(instance, 2, ofTen().used(2).holding(1)).total()).isEqualTo(3);
        assertThat(ask(other, 1, ofTen().needing(9))).isEqualTo(new Grant(10, 7, 1));
    }

    @Test
    void countsUseBeyondWhatWasHeld() {
        lapse(instance, 1, ofTen(), 5);
        assertThat(total(acme)).isEqualTo(5);
        assertThat(ask(instance, 2, ofTen().used(8)).total()).isEqualTo(8);
    }

    @Test
    void countsOnceThoughItsBatchIsRepeated() {
        Batch batch = batch(instance, 1, ofTen().used(1).holding(5).leasedFor(LEASE));
        Batch.Reply first = exchange(store, batch);
        letPass(AFTER_LEASE);
        assertThat(total(acme)).isEqualTo(6);
        assertThat(exchange(store, batch).grants()).isEqualTo(first.grants());
        assertThat(total(acme)).isEqualTo(6);

        Batch back = batch(instance, 2, ofTen().used(2));
        assertThat(grant(store, back).total()).isEqualTo(3);
        assertThat(grant(store, back).total()).isEqualTo(3);
        assertThat(total(acme)).isEqualTo(3);
    }

    @Test
    void countsOnceThoughManyInstancesStateMeanwhile() {
        lapse(instance, 1, ofTen(), 5);
        for (int i = 0; i < 5; i++) {
            assertThat(ask(unique(), 1, ofTen().used(1)).total()).isEqualTo(6 + i);
        }
        assertThat(ask(instance, 2, ofTen()).total()).isEqualTo(5);
    }

    @Test
    void countsForEachHolder() {
        ask(instance, 1, ofTen().holding(3).leasedFor(LEASE));
        lapse(other, 1, ofTen(), 4);
        assertThat(ask(third, 1, ofTen().needing(9))).isEqualTo(new Grant(10, 3, 0));
        assertThat(ask(other, 2, ofTen().used(1)).total()).isEqualTo(7);
        assertThat(ask(instance, 2, ofTen()).total()).isEqualTo(4);
    }

    @Test
    void countsOnlyTheLatestOfAHolderThatLapsesTwice() {
        lapse(instance, 1, ofTen(), 5);
        assertThat(total(acme)).isEqualTo(5);
        lapse(instance, 2, ofTen().used(1), 4);
        assertThat(total(acme)).isEqualTo(5);
        lapse(instance, 3, ofTen().used(2), 7);
        assertThat(total(acme)).isEqualTo(10);
        assertThat(ask(instance, 4, ofTen().used(3)).total()).isEqualTo(6);
    }

    @Test
    void countsOnlyPermits() {
        ask(instance, 1, ofTen().used(3).mayReturn().leasedFor(LEASE));
        letPass(AFTER_LEASE);
        assertThat(ask(other, 1, ofTen().needing(1))).isEqualTo(new Grant(4, 1, 0));
        assertThat(ask(instance, 2, ofTen().used(-1)).total()).isEqualTo(3);
    }

    /** Slots of calls that nobody hears of are free. */
    @Test
    void freesSlots() {
        Rule three = new Rule.Slots(3, 1, 0, Long.MAX_VALUE);
        Rule none = new Rule.Slots(3, 0, 0, Long.MAX_VALUE);
        lapse(instance, 1, of(acme, three), 2);
        assertThat(ask(other, 1, of(acme, none).needing(3))).isEqualTo(new Grant(3, 3, 0));
    }

    /** The oldest one that is too many counts for good. */
    @Test
    void isRememberedOfManyHolders() {
        List<String> holders = new ArrayList<>();
        for (int i = 0; i <= MOST_LAPSED; i++) {
            holders.add("holder-" + i + '-' + endpoint);
            ask(holders.get(i), 1, statementOf(acme, 1_000).holding(3).leasedFor(LEASE));
            if (i == 0) {
                letPass(AFTER_LEASE);
            }
        }
        letPass(AFTER_LEASE);
        long all = 3 * (MOST_LAPSED + 1);
        assertThat(total(acme)).isEqualTo(all);
        assertThat(ask(holders.get(0), 2, statementOf(acme, 1_000)).total()).isEqualTo(all);
        for (int i = MOST_LAPSED; i > 0; i--) {
            assertThat(ask(holders.get(i), 2, statementOf(acme, 1_000).used(1)).total())
                    .as("after holder %d", i)
                    .isEqualTo(all -= 2);
        }
    }

    @Test
    void tellsNobody() {
        if (tellsNews()) {
            Heard bystander = Heard.by(third, store);
            lapse(instance, 1, ofTen(), 5);
            ask(other, 1, ofTen().used(5));
            bystander.awaitLatest(store);
            assertThat(bystander.has(Kind.FREED, acme)).isFalse();
        }
    }

    /** Everybody believed that nothing could come back. */
    @Test
    void tellsAllWhenTheHolderReturnsPermitsToAUsedUpLimit() {
        tellsAllOfAReturn(ofTen(), ofTen().used(5), ofTen().used(2));
    }

    @Test
    void tellsAllWhenTheHolderGoesOnHoldingOfAUsedUpLimit() {
        tellsAllOfAReturn(ofTen(), ofTen().used(5), ofTen().used(1).holding(4));
    }

    @Test
    void tellsAllWhenTheHolderReturnsPermitsToABucket() {
        Rule tenADay = bucket(Gcra.of(10, DAY, 10));
        tellsAllOfAReturn(
                of(acme, tenADay), of(acme, tenADay).used(5), of(acme, tenADay).used(2));
    }

    @Test
    void tellsAllWhenTheHolderReturnsPermitsToALog() {
        Rule tenAMinute = new Rule.Log(10, 60_000);
        tellsAllOfAReturn(
                of(acme, tenAMinute),
                of(acme, tenAMinute).used(5),
                of(acme, tenAMinute).used(2));
    }

    private void tellsAllOfAReturn(Asked held, Asked usedUp, Asked back) {
        if (tellsNews()) {
            try (CounterStore another = open()) {
                Heard bystander = Heard.by(third, another);
                lapse(instance, 1, held, 5);
                ask(other, 1, usedUp);
                bystander.awaitLatest(another);
                assertThat(bystander.has(Kind.FREED, acme)).isFalse();
                ask(instance, 2, back);
                bystander.await(Kind.FREED, acme);
            }
        }
    }

    /** They wait for what the other one holds, and get what comes back. */
    @Test
    void tellsThoseWhoWaitWhenTheHolderReturnsPermits() {
        if (tellsNews()) {
            try (CounterStore another = open()) {
                Heard waiting = Heard.by(third, another);
                lapse(instance, 1, ofTen(), 5);
                ask(other, 1, ofTen().holding(5));
                assertThat(ask(third, 1, ofTen().needing(1)).elsewhere()).isEqualTo(5);
                waiting.awaitLatest(another);
                assertThat(waiting.has(Kind.FREED, acme)).isFalse();
                ask(instance, 2, ofTen().used(4));
                waiting.await(Kind.FREED, acme);
            }
        }
    }

    @Test
    void isNotRecalled() {
        if (tellsNews()) {
            Heard holder = Heard.by(instance, store);
            lapse(instance, 1, ofTen(), 5);
            ask(other, 1, ofTen().needing(9));
            holder.awaitLatest(store);
            assertThat(holder.has(Kind.RECALLED, acme)).isFalse();
        }
    }

    private static final int FRAME = 20_000;

    private CounterKey currentFrame() {
        long left = FRAME - now() % FRAME;
        if (left < 3_000) {
            letPass(Duration.ofMillis(left));
        }
        long start = now() / FRAME * FRAME;
        return Exchanges.key(endpoint, "acme", start, start + FRAME);
    }

    @Test
    void weighsOnLaterFrames() {
        Rule hundred = new Rule.Frame(100, 2);
        CounterKey frame = currentFrame();
        CounterKey before = frame.earlier(1);
        lapse(instance, 1, of(before, hundred).used(20), 30);
        assertThat(ask(other, 1, of(frame, hundred).needing(100))).isEqualTo(new Grant(50, 50, 0, List.of(50L, 0L)));

        Batch back = batch(
                instance, 2, of(before, hundred).used(10), of(frame, hundred).needing(100));
        assertThat(exchange(store, back).grants())
                .containsExactly(new Grant(30, 0, 0, List.of(0L, 0L)), new Grant(70, 20, 50, List.of(30L, 0L)));
        assertThat(ask(third, 1, of(frame, hundred))).isEqualTo(new Grant(70, 0, 70, List.of(30L, 0L)));
    }

    @Test
    void weighsOnLaterFramesUntilItsHolderStatesThatFrame() {
        Rule hundred = new Rule.Frame(100, 2);
        CounterKey frame = currentFrame();
        CounterKey before = frame.earlier(1);
        lapse(instance, 1, of(before, hundred), 30);
        for (int sequence = 2; sequence < 4; sequence++) {
            assertThat(ask(instance, sequence, of(frame, hundred))).isEqualTo(new Grant(0, 0, 0, List.of(30L, 0L)));
            assertThat(ask(other, sequence, of(frame, hundred))).isEqualTo(new Grant(0, 0, 0, List.of(30L, 0L)));
        }
        assertThat(ask(instance, 4, of(before, hundred).used(1)).total()).isEqualTo(1);
        assertThat(ask(other, 4, of(frame, hundred)).details()).containsExactly(1L, 0L);
    }

    @Test
    void countsInABucketUntilTheHolderSaysWhatItUsed() {
        Rule fiveADay = bucket(Gcra.of(5, DAY, 5));
        lapse(instance, 1, of(acme, fiveADay).used(1), 4);
        Grant refused = ask(other, 1, of(acme, fiveADay).needing(9));
        assertThat(refused.granted()).isZero();
        assertThat(refused.elsewhere()).isZero();
        ask(instance, 2, of(acme, fiveADay).used(Duration.ofMillis(100), 1));
        assertThat(ask(other, 2, of(acme, fiveADay).needing(9)).granted()).isEqualTo(3);
    }

    @Test
    void countsInABucketOnceThoughNobodyElseNoticesIt() {
        Rule fiveADay = bucket(Gcra.of(5, DAY, 5));
        lapse(instance, 1, of(acme, fiveADay).used(1), 4);
        lapse(instance, 2, of(acme, fiveADay).used(2), 2);
        ask(instance, 3, of(acme, fiveADay).used(1));
        assertThat(ask(other, 1, of(acme, fiveADay).needing(9)).granted()).isEqualTo(1);
    }

    @Test
    void countsInABucketForEachHolder() {
        Rule tenADay = bucket(Gcra.of(10, DAY, 10));
        ask(instance, 1, of(acme, tenADay).holding(3).leasedFor(LEASE));
        lapse(other, 1, of(acme, tenADay), 4);
        assertThat(ask(third, 1, of(acme, tenADay).needing(9)).granted()).isEqualTo(3);
        ask(other, 2, of(acme, tenADay).used(1));
        assertThat(ask(third, 2, of(acme, tenADay).holding(3).needing(9)).granted())
                .isEqualTo(3);
        ask(instance, 2, of(acme, tenADay));
        assertThat(ask(third, 3, of(acme, tenADay).holding(6).needing(9)).granted())
                .isEqualTo(3);
    }

    /** As if the calls had been made when the lease ended. */
    @Test
    void refillsABucketFromTheEndOfTheLease() {
        Gcra tenInThree = Gcra.of(10, 3_000, 10);
        Batch held = batch(instance, 1, of(acme, bucket(tenInThree)).holding(10).leasedFor(LEASE));
        long ended = exchange(store, held).appliedMillis() + LEASE.toMillis();
        letPass(Duration.ofMillis(700));
        Batch.Reply reply = exchange(store, batch(other, 1, of(acme, bucket(tenInThree))));
        long total = reply.grants().get(0).total();
        long now = reply.appliedMillis();
        assertThat(tenInThree.left(total, now)).isEqualTo((now - ended) / 300);
        assertThat(now + tenInThree.resetMillis(total, now)).isBetween(ended + 2_999, ended + 3_001);
    }

    /** The store keeps what a silent instance holds for as long as that may matter. */
    @Test
    void countsInABucketThoughNobodyStatesForLong() {
        Gcra tenInFive = Gcra.of(10, 5_000, 10);
        Rule rule = bucket(tenInFive);
        ask(instance, 1, of(acme, rule).holding(10).leasedFor(LEASE));
        letPass(Duration.ofMillis(3_200));
        assertThat(ask(other, 1, of(acme, rule).needing(10)).granted()).isBetween(5L, 8L);
        letPass(Duration.ofSeconds(2));
        ask(instance, 2, of(acme, rule).used(Duration.ofMillis(5_200), 2));
        assertThat(ask(other, 2, of(acme, rule).needing(10)).granted()).isEqualTo(10);
    }

    @Test
    void countsInALogUntilTheHolderSaysWhatItUsed() {
        Rule fiveAMinute = new Rule.Log(5, 60_000);
        lapse(instance, 1, of(acme, fiveAMinute).used(1), 4);
        Grant refused = ask(other, 1, of(acme, fiveAMinute).needing(9));
        assertThat(refused.total()).isEqualTo(5);
        assertThat(refused.granted()).isZero();
        assertThat(refused.elsewhere()).isZero();
        assertThat(ask(instance, 2, of(acme, fiveAMinute).used(1).holding(1)).total())
                .isEqualTo(3);
        assertThat(ask(other, 2, of(acme, fiveAMinute).needing(9)).granted()).isEqualTo(2);
    }

    @Test
    void countsInALogForEachHolder() {
        Rule thousand = new Rule.Log(1_000, 60_000);
        ask(instance, 1, of(acme, thousand).holding(300).leasedFor(LEASE));
        lapse(other, 1, of(acme, thousand).used(7), 300);
        assertThat(ask(third, 1, of(acme, thousand)).total()).isEqualTo(607);
        assertThat(ask(other, 2, of(acme, thousand).used(-7)).total()).isEqualTo(300);
        assertThat(ask(instance, 2, of(acme, thousand).used(1)).total()).isEqualTo(1);
    }

    /** As if the calls had been made when the lease ended. */
    @Test
    void countsInALogForAPeriodFromTheEndOfTheLease() {
        Rule fiveInTwo = new Rule.Log(5, 2_000);
        Batch held = batch(instance, 1, of(acme, fiveInTwo).holding(4).leasedFor(LEASE));
        long ended = exchange(store, held).appliedMillis() + LEASE.toMillis();
        letPass(AFTER_LEASE);
        assertThat(ask(other, 1, of(acme, fiveInTwo))).isEqualTo(new Grant(4, 0, 0, List.of(ended)));
        letPass(Duration.ofMillis(2_050));
        assertThat(ask(other, 2, of(acme, fiveInTwo))).isEqualTo(new Grant(0, 0, 0, List.of(0L)));
        assertThat(ask(instance, 2, of(acme, fiveInTwo).used(1)).total()).isEqualTo(1);
    }

    @Test
    void countsInALogThoughNobodyStatesForAPeriod() {
        Rule fiveInTwo = new Rule.Log(5, 2_000);
        lapse(instance, 1, of(acme, fiveInTwo), 4);
        letPass(Duration.ofSeconds(1));
        assertThat(ask(other, 1, of(acme, fiveInTwo).needing(5)).granted()).isEqualTo(1);
        letPass(Duration.ofSeconds(1));
        assertThat(ask(other, 2, of(acme, fiveInTwo).needing(5)).granted()).isEqualTo(5);
    }
}

package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News.Kind;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.internal.cell.StoreProtocol;
import dev.sluice.store.Exchanges;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Instances receive news of what the exchanges of others mean for them. */
public abstract class NewsContract extends ContractPart {

    protected NewsContract(StoreUnderTest tested) {
        super(tested);
    }

    private final CounterKey acme = key("acme");
    private long sequence;
    private final Rule fiveAMinute = new Rule.Log(5, 60_000);
    private final Gcra five = Gcra.of(5, 86_400_000, 5);
    private final Rule fiveADay = new Rule.Bucket(five.token(), five.milli(), five.depth(), five.furthest());

    @Test
    void recallsWhatOthersHoldWhereCallsNeedIt() {
        assertRecalled(statementOf(acme, 5).holding(5), statementOf(acme, 5).needing(1));
    }

    @Test
    void recallsWhatOthersHoldOfAFrameBefore() {
        Rule.Frame rule = new Rule.Frame(5, 2);
        CounterKey before = acme.earlier(1);
        CounterKey now = acme.end() - now() < 5_000 ? acme.earlier(-1) : acme;
        assertRecalled(
                statementOf(before, rule).holding(5), statementOf(now, rule).needing(5), now, now.earlier(1));
    }

    @Test
    void recallsWhatOthersHoldOfABucket() {
        assertRecalled(
                statementOf(acme, fiveADay).holding(5),
                statementOf(acme, fiveADay).needing(1));
    }

    @Test
    void recallsWhatOthersHoldOfALog() {
        assertRecalled(
                statementOf(acme, fiveAMinute).holding(5),
                statementOf(acme, fiveAMinute).needing(1));
    }

    /** Charges are reported like this, since they are made after their calls. */
    @Test
    void recallsWhatOthersHoldWhereMoreOfAWindowWasUsedThanIsLeft() {
        assertRecalled(statementOf(acme, 5).holding(2), statementOf(acme, 5).used(4));
    }

    @Test
    void recallsWhatOthersHoldWhereMoreOfABucketWasUsedThanIsLeft() {
        assertRecalled(
                statementOf(acme, fiveADay).holding(2),
                statementOf(acme, fiveADay).used(4));
    }

    @Test
    void recallsWhatOthersHoldWhereMoreOfALogWasUsedThanIsLeft() {
        assertRecalled(
                statementOf(acme, fiveAMinute).holding(2),
                statementOf(acme, fiveAMinute).used(4));
    }

    @Test
    void recallsNothingWhereWhatOthersHoldIsLeft() {
        CounterKey bucket = key("bucket");
        CounterKey log = key("log");
        assertNotRecalled(statementOf(acme, 5).holding(2), statementOf(acme, 5).used(3));
        assertNotRecalled(
                statementOf(bucket, fiveADay).holding(2),
                statementOf(bucket, fiveADay).used(3));
        assertNotRecalled(
                statementOf(log, fiveAMinute).holding(2),
                statementOf(log, fiveAMinute).used(3));
    }

    private void assertNotRecalled(Exchanges.Asked holder, Exchanges.Asked user) {
        if (tellsNews()) {
            Heard heard = Heard.by(instance, store);
            exchange(store, batch(instance, ++sequence, holder));
            exchange(store, batch(unique(), 1, user));
            heard.awaitLatest(store);
            assertThat(heard.has(Kind.RECALLED, user.statement().key())).isFalse();
        }
    }

    @Test
    void recallsSlots() {
        assertRecalled(
                statementOf(acme, new Rule.Slots(5, 2, 0, Long.MAX_VALUE)).holding(3),
                statementOf(acme, new Rule.Slots(5, 0, 0, Long.MAX_VALUE)).needing(1));
    }

    private void assertRecalled(Exchanges.Asked holder, Exchanges.Asked asker, CounterKey... keys) {
        if (tellsNews()) {
            try (CounterStore another = open()) {
                Heard heard = Heard.by(instance, another);
                exchange(store, batch(instance, 1, holder));
                exchange(store, batch(other, 1, asker));
                for (CounterKey key : keys.length == 0 ? List.of(acme) : Arrays.asList(keys)) {
                    heard.await(Kind.RECALLED, key);
                }
                assertThat(heard.has(Kind.FREED, acme)).isFalse();
            }
        }
    }

    /** It is told to an instance whose calls wait. */
    @Test
    void tellsWhenASpentLimitIsFree() {
        assertFreed(statementOf(acme, 5).holding(5), statementOf(acme, 5).used(4));
        CounterKey later = acme.earlier(-1); // the news of the one above may still be in flight
        assertFreed(statementOf(later, 5).used(5), statementOf(later, 5).used(-2));
    }

    @Test
    void tellsWhenASpentFrameIsFree() {
        Rule.Frame rule = new Rule.Frame(5, 2);
        CounterKey now = acme.end() - now() < 5_000 ? acme.earlier(-1) : acme;
        assertFreed(statementOf(now, rule).holding(5), statementOf(now, rule).used(4));
    }

    /** Instances that wait for the current frame receive news when something is returned to the frame before. */
    @Test
    void tellsWhenAFrameIsFreeSinceCallsOfTheFrameBeforeDoNotCount() {
        if (tellsNews()) {
            Rule.Frame rule = new Rule.Frame(5, 2);
            CounterKey now = acme.end() - now() < 5_000 ? acme.earlier(-1) : acme;
            try (CounterStore another = open()) {
                Heard heard = Heard.by(other, another);
                String sender = unique();
                exchange(
                        store,
                        batch(sender, 1, statementOf(now.earlier(1), rule).used(5)));
                exchange(store, batch(sender, 2, statementOf(now, rule).needing(1)));
                heard.awaitLatest(another);
                assertThat(heard.has(Kind.FREED, now)).isFalse();
                exchange(
                        store,
                        batch(sender, 3, statementOf(now.earlier(1), rule).used(-3), statementOf(now, rule)));
                heard.await(Kind.FREED, now);
            }
        }
    }

    @Test
    void tellsWhenASpentBucketIsFree() {
        assertFreed(
                statementOf(acme, fiveADay).used(1).holding(4),
                statementOf(acme, fiveADay).used(3));
    }

    @Test
    void tellsWhenASpentLogIsFree() {
        assertFreed(
                statementOf(acme, fiveAMinute).used(1).holding(4),
                statementOf(acme, fiveAMinute).used(3));
    }

    @Test
    void tellsWhenASlotIsFree() {
        assertFreed(
                statementOf(acme, new Rule.Slots(5, 5, 0, Long.MAX_VALUE)),
                statementOf(acme, new Rule.Slots(5, 4, 0, Long.MAX_VALUE)));
    }

    private void assertFreed(Exchanges.Asked spending, Exchanges.Asked returning) {
        if (tellsNews()) {
            try (CounterStore another = open()) {
                Heard heard = Heard.by(other, another);
                String sender = unique();
                CounterKey key = spending.statement().key();
                Rule rule = spending.statement().rule();
                Rule waitsBy =
                        rule instanceof Rule.Slots slots ? new Rule.Slots(slots.most(), 0, 0, Long.MAX_VALUE) : rule;
                exchange(store, batch(sender, 1, spending));
                exchange(
                        store,
                        batch(other, ++sequence, statementOf(key, waitsBy).needing(1)));
                heard.awaitLatest(another);
                assertThat(heard.has(Kind.FREED, key)).isFalse();
                exchange(store, batch(sender, 2, returning));
                heard.await(Kind.FREED, key);
                assertThat(heard.has(Kind.RECALLED, key)).isFalse();
            }
        }
    }

    @Test
    void tellsNothingWhereNobodyHasAnything() {
        if (tellsNews()) {
            Heard heard = Heard.by(other, store);
            exchange(store, batch(instance, 1, statementOf(acme, 5).used(5)));
            exchange(store, batch(instance, 2, statementOf(acme, 5).needing(1)));
            heard.awaitLatest(store);
            assertThat(heard.has(Kind.RECALLED, acme)).isFalse();
        }
    }

    @Test
    void tellsNobodyOfHisOwnExchanges() {
        if (tellsNews()) {
            Heard own = Heard.by(instance, store);
            Heard holders = Heard.by(third, store);
            exchange(store, batch(third, 1, statementOf(acme, 5).holding(3)));
            exchange(store, batch(instance, 1, statementOf(acme, 5).holding(2).needing(1)));
            holders.await(Kind.RECALLED, acme);
            own.awaitLatest(store);
            assertThat(own.has(Kind.RECALLED, acme)).isFalse();
        }
    }

    /** The first is the one that has not been heard for longest. */
    @Test
    void recallsFromNoMoreHoldersThanNeeded() {
        if (tellsNews()) {
            Heard first = Heard.by(instance, store);
            Heard second = Heard.by(other, store);
            exchange(store, batch(instance, 1, statementOf(acme, 5).holding(2)));
            exchange(store, batch(other, 1, statementOf(acme, 5).holding(3)));
            exchange(store, batch(third, 1, statementOf(acme, 5).needing(2)));
            first.await(Kind.RECALLED, acme);
            second.awaitLatest(store);
            assertThat(second.has(Kind.RECALLED, acme)).isFalse();
            exchange(store, batch(third, 2, statementOf(acme, 5).needing(2).repeatedly(1)));
            second.await(Kind.RECALLED, acme);
        }
    }

    /** However often an instance asks, one call does not recall what thousands of calls need. */
    @Test
    void recallsNoMoreAfterManyRepeats() {
        if (tellsNews()) {
            Heard first = Heard.by(instance, store);
            Heard second = Heard.by(other, store);
            long most = StoreProtocol.toRecall(1, Integer.MAX_VALUE);
            exchange(store, batch(instance, 1, statementOf(acme, 2 * most).holding(most)));
            exchange(store, batch(other, 1, statementOf(acme, 2 * most).holding(most)));
            exchange(
                    store,
                    batch(third, 1, statementOf(acme, 2 * most).needing(1).repeatedly(100)));
            first.await(Kind.RECALLED, acme);
            second.awaitLatest(store);
            assertThat(second.has(Kind.RECALLED, acme)).isFalse();
            exchange(
                    store,
                    batch(third, 2, statementOf(acme, 2 * most).needing(2).repeatedly(100)));
            second.await(Kind.RECALLED, acme);
        }
    }

    @Test
    void tellsOnlyThoseWhoWait() {
        if (tellsNews()) {
            Heard waiting = Heard.by(other, store);
            Heard bystander = Heard.by(third, store);
            exchange(store, batch(instance, 1, statementOf(acme, 5).holding(5)));
            exchange(store, batch(other, 1, statementOf(acme, 5).needing(1)));
            exchange(store, batch(instance, 2, statementOf(acme, 5).holding(3)));
            waiting.await(Kind.FREED, acme);
            bystander.awaitLatest(store);
            assertThat(bystander.has(Kind.FREED, acme)).isFalse();
        }
    }

    /** What is held from now on may come back. */
    @Test
    void tellsAllWhenSomebodyHoldsSomeOfASpentLimit() {
        if (tellsNews()) {
            Heard bystander = Heard.by(third, store);
            exchange(store, batch(instance, 1, statementOf(acme, 5).used(5)));
            exchange(store, batch(instance, 2, statementOf(acme, 5).used(-1).needing(1)));
            bystander.await(Kind.FREED, acme);
        }
    }

    /** Its calls use what it holds before it reports; until then it would refuse others, since nothing was left. */
    @Test
    void tellsTheOnlyHolderThatMoreIsLeft() {
        tellsTheOnlyHolder(acme, new Rule.Total(5));
        tellsTheOnlyHolder(key("log"), fiveAMinute);
        tellsTheOnlyHolder(key("bucket"), fiveADay);
    }

    private void tellsTheOnlyHolder(CounterKey key, Rule rule) {
        if (tellsNews()) {
            Heard holder = Heard.by(instance, store);
            Heard bystander = Heard.by(third, store);
            exchange(store, batch(other, ++sequence, statementOf(key, rule).used(3)));
            exchange(store, batch(instance, ++sequence, statementOf(key, rule).needing(2)));
            holder.awaitLatest(store);
            assertThat(holder.has(Kind.FREED, key)).isFalse();
            exchange(store, batch(other, ++sequence, statementOf(key, rule).used(-1)));
            holder.await(Kind.FREED, key);
            bystander.awaitLatest(store);
            assertThat(bystander.has(Kind.FREED, key)).isFalse();
        }
    }

    /** They wait in the order in which they asked. */
    @Test
    void tellsAsManyAsCanBeServed() {
        if (tellsNews()) {
            Heard first = Heard.by(other, store);
            Heard second = Heard.by(third, store);
            exchange(store, batch(instance, 1, statementOf(acme, 5).holding(5)));
            exchange(store, batch(other, 1, statementOf(acme, 5).needing(1)));
            exchange(store, batch(third, 1, statementOf(acme, 5).needing(1)));
            exchange(store, batch(instance, 2, statementOf(acme, 5).holding(4)));
            first.await(Kind.FREED, acme);
            second.awaitLatest(store);
            assertThat(second.has(Kind.FREED, acme)).isFalse();
            exchange(store, batch(instance, 3, statementOf(acme, 5).used(4)));
            second.await(Kind.FREED, acme);
        }
    }

    /** Two whose calls cost more than is left do not tell each other so, again and again. */
    @Test
    void tellsNobodyOfLessThanACallNeeds() {
        if (tellsNews()) {
            Heard dear = Heard.by(other, store);
            Heard cheap = Heard.by(third, store);
            exchange(store, batch(instance, 1, statementOf(acme, 5).holding(4)));
            exchange(store, batch(other, 1, statementOf(acme, 5).needingAtOnce(3, 3)));
            exchange(store, batch(third, 1, statementOf(acme, 5).needingAtOnce(4, 2)));
            exchange(store, batch(instance, 2, statementOf(acme, 5).holding(3)));
            cheap.await(Kind.FREED, acme);
            dear.awaitLatest(store);
            assertThat(dear.has(Kind.FREED, acme)).isFalse();
            exchange(store, batch(instance, 3, statementOf(acme, 5).holding(2)));
            dear.await(Kind.FREED, acme);
        }
    }

    @Test
    void whoAsksAgainKeepsItsPosition() {
        if (tellsNews()) {
            Heard first = Heard.by(other, store);
            Heard second = Heard.by(third, store);
            exchange(store, batch(instance, 1, statementOf(acme, 5).holding(5)));
            exchange(store, batch(other, 1, statementOf(acme, 5).needing(1)));
            exchange(store, batch(third, 1, statementOf(acme, 5).needing(1)));
            exchange(store, batch(other, 2, statementOf(acme, 5).needing(1)));
            exchange(store, batch(instance, 2, statementOf(acme, 5).holding(4)));
            first.await(Kind.FREED, acme);
            second.awaitLatest(store);
            assertThat(second.has(Kind.FREED, acme)).isFalse();
        }
    }

    /** Who waits for a frame is noted there, also if all permits are held of the frame before. */
    @Test
    void tellsThoseWhoWaitForWhatIsHeldOfTheFrameBefore() {
        if (tellsNews()) {
            Rule.Frame rule = new Rule.Frame(5, 2);
            CounterKey now = acme.end() - now() < 5_000 ? acme.earlier(-1) : acme;
            CounterKey before = now.earlier(1);
            Heard waiting = Heard.by(other, store);
            Heard bystander = Heard.by(third, store);
            exchange(store, batch(instance, 1, statementOf(before, rule).holding(4)));
            exchange(store, batch(other, 1, statementOf(now, rule).needingAtOnce(2, 2)));
            exchange(store, batch(instance, 2, statementOf(before, rule).holding(1), statementOf(now, rule)));
            waiting.await(Kind.FREED, now);
            bystander.awaitLatest(store);
            assertThat(bystander.has(Kind.FREED, now)).isFalse();
        }
    }

    /** Calls await the outcome of others, which returns enough or ends all hope. */
    @Test
    void tellsThoseWhoAwaitOutcomes() {
        tellsThoseWhoAwaitOutcomes(acme, statementOf(acme, 5).used(-1), statementOf(acme, 5));
        CounterKey log = key("log");
        tellsThoseWhoAwaitOutcomes(log, statementOf(log, fiveAMinute).used(-1), statementOf(log, fiveAMinute));
        CounterKey bucket = key("bucket");
        tellsThoseWhoAwaitOutcomes(bucket, statementOf(bucket, fiveADay).used(-1), statementOf(bucket, fiveADay));
    }

    private void tellsThoseWhoAwaitOutcomes(CounterKey key, Exchanges.Asked returning, Exchanges.Asked ending) {
        if (tellsNews()) {
            Rule rule = ending.statement().rule();
            Heard small = Heard.by(other, store);
            Heard large = Heard.by(third, store);
            exchange(
                    store,
                    batch(instance, ++sequence, statementOf(key, rule).used(4).mayReturn()));
            exchange(store, batch(third, ++sequence, statementOf(key, rule).needingAtOnce(3, 3)));
            exchange(store, batch(other, ++sequence, statementOf(key, rule).needingAtOnce(2, 2)));
            exchange(store, batch(third, ++sequence, statementOf(key, rule))); // its calls still wait
            exchange(store, batch(instance, ++sequence, returning.mayReturn()));
            small.await(Kind.FREED, key);
            large.awaitLatest(store);
            assertThat(large.has(Kind.FREED, key)).isFalse();
            exchange(store, batch(instance, ++sequence, ending));
            large.await(Kind.FREED, key);
        }
    }

    @Test
    void tellsOnlyThoseWhoWaitThatAllIsUsed() {
        if (tellsNews()) {
            Heard waiting = Heard.by(other, store);
            Heard bystander = Heard.by(third, store);
            exchange(store, batch(instance, 1, statementOf(acme, 5).holding(1).used(4)));
            exchange(store, batch(other, 1, statementOf(acme, 5).needing(1)));
            exchange(store, batch(instance, 2, statementOf(acme, 5).used(1)));
            waiting.await(Kind.FREED, acme);
            bystander.awaitLatest(store);
            assertThat(bystander.has(Kind.FREED, acme)).isFalse();
        }
    }
}

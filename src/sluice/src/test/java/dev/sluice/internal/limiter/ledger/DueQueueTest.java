package dev.sluice.internal.limiter.ledger;

import static dev.sluice.internal.limiter.ledger.PlayedLedger.WINDOW;
import static dev.sluice.internal.limiter.ledger.PlayedLedger.moment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Event;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.account.Situations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

class DueQueueTest {

    private static final Duration EVERY = Duration.ofSeconds(1);

    private final PlayedLedger pools = new PlayedLedger();
    private final DueQueue queue = new DueQueue();
    private final Dispatcher dispatcher = new Dispatcher(queue, NOPLogger.NOP_LOGGER);

    /** An active entry that owes nothing. */
    private Entry entry(String name, Duration every) {
        Entry entry = PlayedLedger.entry(pools.pool(WINDOW, every, name), moment(0));
        return enters(entry, Stage.ACTIVE);
    }

    private Entry entry(String name) {
        return entry(name, EVERY);
    }

    private Entry owes(Entry entry, long millis, Why why) {
        entry.becomes(Situations.owing(entry.account(), why, moment(millis)));
        queue.update(entry, moment(millis));
        return entry;
    }

    private Entry owes(String name, long millis, Why why) {
        return owes(entry(name), millis, why);
    }

    private Entry enters(Entry entry, Stage stage) {
        entry.becomes(Situations.in(entry.account(), stage));
        queue.update(entry, moment(0));
        return entry;
    }

    /** The store answers for the entry. */
    private Entry granted(Entry entry) {
        assertThat(dispatcher.state(entry, moment(0))).isNotNull();
        dispatcher.on(entry, new Event.Receive(new Grant(0, 0, 0), moment(0).millis(), false), moment(0));
        return entry;
    }

    private List<String> urgent(boolean isKnown, long millis) {
        List<String> names = new ArrayList<>();
        queue.visit(true, isKnown, moment(millis), 100, entry -> true, entry -> names.add(name(entry)));
        return names;
    }

    private List<String> patient(boolean isKnown) {
        List<String> names = new ArrayList<>();
        queue.visit(false, isKnown, moment(1_000_000), 100, entry -> true, entry -> names.add(name(entry)));
        return names;
    }

    private static String name(Entry entry) {
        return entry.key().subjects().get(0).value();
    }

    private static long nanos(long millis) {
        return moment(millis).nanos();
    }

    @Nested
    class AnEntry {

        @Test
        void isQueuedOnceHoweverOftenItIsPlaced() {
            Entry a = owes("a", 1, Why.LOW);
            queue.update(a, moment(2));
            queue.update(a, moment(3));
            assertThat(patient(false)).containsExactly("a");
        }

        @Test
        void movesWhenItBecomesUrgent() {
            owes(owes("a", 1, Why.LOW), 5, Why.REFUND);
            assertThat(patient(false)).isEmpty();
            assertThat(urgent(false, 5)).containsExactly("a");
            assertThat(queue.size(false)).isZero();
        }

        @Test
        void movesWhenTheStoreAnswersForItTheFirstTime() {
            Entry a = granted(entry("a"));
            owes(a, 1, Why.LOW);
            owes("b", 1, Why.LOW);
            assertThat(patient(true)).containsExactly("a");
            assertThat(patient(false)).containsExactly("b");
        }

        @Test
        void movesWhenTheStoreAnswersThoughAStatementIsDueAsBefore() {
            Entry a = owes("a", 1, Why.LOW);
            assertThat(dispatcher.state(a, moment(2))).isNotNull();
            dispatcher.on(a, new Event.Receive(new Grant(0, 0, 0), moment(4).millis(), false), moment(4));
            owes(a, 1, Why.LOW);
            assertThat(patient(true)).containsExactly("a");
            assertThat(patient(false)).isEmpty();
        }

        @Test
        void leavesWhenNothingIsDueAnyMore() {
            enters(owes("a", 1, Why.LOW), Stage.CLOSED);
            enters(owes("b", 1, Why.REFUND), Stage.CLOSED);
            assertThat(patient(false)).isEmpty();
            assertThat(urgent(false, 9)).isEmpty();
            assertThat(queue.all(true)).isEmpty();
        }
    }

    @Nested
    class TheOrder {

        @Test
        void isByDueTime() {
            owes("late", 9, Why.LOW);
            owes("early", 1, Why.LOW);
            owes("middle", 5, Why.LOW);
            assertThat(patient(false)).containsExactly("early", "middle", "late");
        }

        @Test
        void isByArrivalForEqualDueTimes() {
            for (String name : List.of("c", "a", "b")) {
                owes(name, 1, Why.LOW);
            }
            assertThat(patient(false)).containsExactly("c", "a", "b");
        }

        @Test
        void isKeptWhenSomethingElseHappensToAnEntry() {
            Entry a = owes("a", 1, Why.LOW);
            owes("b", 1, Why.LOW);
            dispatcher.on(a, new Event.HearRecall(), moment(8));
            assertThat(patient(false)).containsExactly("a", "b");
        }

        @Test
        void passesOverWhatIsNotReady() {
            owes("a", 1, Why.LOW);
            owes("b", 2, Why.LOW);
            owes("c", 3, Why.LOW);
            List<String> names = new ArrayList<>();
            queue.visit(
                    false,
                    false,
                    moment(1_000_000),
                    1,
                    entry -> !name(entry).equals("a"),
                    entry -> names.add(name(entry)));
            assertThat(names).containsExactly("b");
        }

        @Test
        void isNotDisturbedByWhatIsDoneWithAnEntry() {
            for (String name : List.of("a", "b", "c")) {
                owes(name, 1, Why.LOW);
            }
            List<String> names = new ArrayList<>();
            queue.visit(
                    false,
                    false,
                    moment(1_000_000),
                    9,
                    entry -> true,
                    entry -> names.add(name(enters(entry, Stage.CLOSED))));
            assertThat(names).containsExactly("a", "b", "c");
            assertThat(queue.size(false)).isZero();
        }

        @Test
        void endsAfterAsManyAsFit() {
            for (String name : List.of("a", "b", "c")) {
                owes(name, 1, Why.LOW);
            }
            List<String> names = new ArrayList<>();
            queue.visit(false, false, moment(1_000_000), 2, entry -> true, entry -> names.add(name(entry)));
            queue.visit(false, false, moment(1_000_000), 0, entry -> true, entry -> names.add(name(entry)));
            queue.visit(false, false, moment(1_000_000), -5, entry -> true, entry -> names.add(name(entry)));
            assertThat(names).containsExactly("a", "b");
        }
    }

    @Nested
    class UrgentStatements {

        @BeforeEach
        void someAreDueLater() {
            owes("a", 2, Why.REFUND);
            owes("b", 7, Why.OVERDRAWN);
            owes("c", 1, Why.LOW);
            owes(granted(entry("d")), 4, Why.REFUND);
        }

        @Test
        void areMadeOnceTheirTimeHasCome() {
            assertThat(urgent(false, 1)).isEmpty();
            assertThat(urgent(false, 2)).containsExactly("a");
            assertThat(urgent(false, 7)).containsExactly("a", "b");
            assertThat(urgent(true, 3)).isEmpty();
            assertThat(urgent(true, 4)).containsExactly("d");
        }

        @Test
        void tellWhenTheNextCanBeMade() {
            assertThat(queue.nextUrgentNanos(Long.MIN_VALUE)).isEqualTo(nanos(2));
            assertThat(queue.nextUrgentNanos(nanos(2))).isEqualTo(nanos(4));
            assertThat(queue.nextUrgentNanos(nanos(4))).isEqualTo(nanos(7));
            assertThat(queue.nextUrgentNanos(nanos(7))).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void canAllBeSeenWhetherKnownOrNot() {
            assertThat(queue.all(true)).extracting(DueQueueTest::name).containsExactlyInAnyOrder("a", "b", "d");
        }

        @Test
        void areNotPatient() {
            assertThat(queue.size(false)).isPositive();
            assertThat(patient(false)).containsExactly("c");
            assertThat(patient(true)).isEmpty();
        }
    }

    @Nested
    class Ticks {

        private final List<String> ticked = new ArrayList<>();

        private void tick(long millis) {
            queue.tick(moment(millis), (entry, ends) -> ticked.add(name(entry) + "@" + millis + (ends ? " ends" : "")));
        }

        @Test
        void comeFourTimesAnInterval() {
            entry("a");
            for (long millis = 0; millis <= 2_000; millis++) {
                tick(millis);
            }
            assertThat(ticked)
                    .containsExactly(
                            "a@250", "a@500", "a@750", "a@1000 ends", "a@1250", "a@1500", "a@1750", "a@2000 ends");
        }

        @Test
        void lateTicksAreNotRepeated() {
            entry("a");
            tick(499);
            tick(499);
            assertThat(queue.nextTickNanos()).isEqualTo(nanos(500));
            tick(1_300);
            tick(1_499);
            assertThat(queue.nextTickNanos()).isEqualTo(nanos(1_500));
            assertThat(ticked).containsExactly("a@499", "a@1300");
        }

        @Test
        void comeInOrderOfArrivalToAllWithOneInterval() {
            entry("b");
            entry("a");
            tick(250);
            assertThat(ticked).containsExactly("b@250", "a@250");
        }

        @Test
        void comeAsOftenAsTheIntervalSays() {
            entry("slow", Duration.ofSeconds(4));
            entry("fast", Duration.ofMillis(400));
            assertThat(queue.nextTickNanos()).isEqualTo(nanos(100));
            tick(100);
            tick(999);
            tick(1_000);
            assertThat(ticked).containsExactlyInAnyOrder("fast@100", "fast@999", "fast@1000", "slow@1000");
        }

        @Test
        void comeToActiveEntriesOnly() {
            assertThat(queue.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
            Entry a = entry("a");
            entry("b");
            enters(a, Stage.IDLE);
            tick(250);
            assertThat(ticked).containsExactly("b@250");
            enters(a, Stage.ACTIVE);
            tick(500);
            assertThat(ticked).containsExactly("b@250", "b@500", "a@500");
        }

        @Test
        void comeToNoneOnceNoneIsActive() {
            enters(entry("a"), Stage.IDLE);
            assertThat(queue.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void mayEndTheEntryThatTheyLookAt() {
            entry("a");
            entry("b");
            queue.tick(moment(250), (entry, ends) -> ticked.add(name(enters(entry, Stage.CLOSED))));
            assertThat(ticked).containsExactly("a", "b");
        }
    }

    @Nested
    class IdleEntries {

        @Test
        void areTakenAfterALease() {
            Entry a = enters(entry("a"), Stage.IDLE);
            Entry b = enters(entry("b"), Stage.IDLE);
            assertThat(queue.takeLongIdle(9, moment(4_999))).isEmpty();
            assertThat(queue.takeLongIdle(1, moment(5_000))).containsExactly(a);
            assertThat(queue.takeLongIdle(9, moment(5_000))).containsExactly(b);
            assertThat(queue.takeLongIdle(9, moment(5_000))).isEmpty();
        }

        @Test
        void areTakenAgainAfterAnotherLeaseIfTheyCannotBecomeDormantYet() {
            Entry a = enters(entry("a"), Stage.IDLE);
            assertThat(queue.takeLongIdle(9, moment(5_000))).containsExactly(a);
            queue.staysIdle(a, moment(5_000));
            assertThat(queue.takeLongIdle(9, moment(9_999))).isEmpty();
            assertThat(queue.takeLongIdle(9, moment(10_000))).containsExactly(a);
        }

        @Test
        void areLeftOutOnceTheyBecameActiveAgainOrWereClosed() {
            enters(enters(entry("active"), Stage.IDLE), Stage.ACTIVE);
            enters(enters(entry("closed"), Stage.IDLE), Stage.CLOSED);
            Entry idle = enters(entry("idle"), Stage.IDLE);
            assertThat(queue.takeLongIdle(9, moment(5_000))).containsExactly(idle);
        }
    }

    @Test
    void theActiveEntriesCanBeSeenIfTheyAreFew() {
        entry("a");
        entry("b", Duration.ofSeconds(4));
        enters(entry("c"), Stage.IDLE);
        assertThat(queue.activeIfFew(2)).extracting(DueQueueTest::name).containsExactlyInAnyOrder("a", "b");
        assertThat(queue.activeIfFew(1)).isEmpty();
    }
}

package dev.sluice.internal.limiter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.counter.Patience.Due;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times are in milliseconds after the arrival. */
class PatienceTest {

    /** Calls may arrive just before the clock overflows. */
    private static final long ARRIVAL = Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(500);

    private static final Patience WITH_STORE = Patience.withStore(ARRIVAL, millis(1_000), millis(700), millis(200));
    private static final Patience SHORT = Patience.withStore(ARRIVAL, millis(100), millis(700), millis(200));
    private static final Patience WITHOUT_STORE = Patience.withoutStore(ARRIVAL);

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static long at(long millis) {
        return ARRIVAL + millis(millis);
    }

    @ParameterizedTest
    @CsvSource({
        "ASKS_STORE,       0,    0, NOTHING",
        "ASKS_STORE,       0,  199, NOTHING",
        "ASKS_STORE,       0,  200, BEGIN_WAIT",
        "ASKS_STORE,       0,  999, BEGIN_WAIT",
        "ASKS_STORE,       0, 1000, END",
        "WAITS_FOR_STORE, 200,  999, NOTHING",
        "WAITS_FOR_STORE, 900, 1000, END",
        "AWAITS_OUTCOMES, 300,  300, LOOK",
        "AWAITS_OUTCOMES, 300, 1999, LOOK",
        "AWAITS_OUTCOMES, 300, 2000, END",
        "ASKS_AGAIN,      900, 1999, LOOK",
        "ASKS_AGAIN,     1999, 2000, ASK_LAST",
        "ASKS_LAST,      2000, 2699, NOTHING",
        "ASKS_LAST,      2000, 2700, END",
        "ASKS_LAST,      2100, 2799, NOTHING",
        "TAKEN,          2000, 9000, NOTHING",
        "REFUSED,        2000, 9000, NOTHING",
        "GAVE_UP,        2000, 9000, NOTHING"
    })
    void saysWhatIsDue(PendingState state, long since, long now, Due due) {
        assertThat(WITH_STORE.due(state, at(since), at(now))).isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource({
        "EXPECTS_OUTCOMES, 1999, LOOK",
        "EXPECTS_OUTCOMES, 2000, END",
        "AWAITS_OUTCOMES,  1999, LOOK",
        "AWAITS_OUTCOMES,  2000, END",
        "ASKS_AGAIN,       1999, LOOK",
        "ASKS_AGAIN,       2000, END"
    })
    void allowsNoLastQuestionWithoutAStore(PendingState state, long now, Due due) {
        assertThat(WITHOUT_STORE.due(state, at(0), at(now))).isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource({
        "ASKS_STORE,         0, 200",
        "WAITS_FOR_STORE,  200, 1000",
        "AWAITS_OUTCOMES,  300, 350",
        "ASKS_AGAIN,       300, 350",
        "ASKS_LAST,       2000, 2700"
    })
    void saysWhenSomethingWillBeDue(PendingState state, long since, long due) {
        assertThat(WITH_STORE.dueNanos(state, at(since), at(350))).isEqualTo(at(due));
    }

    @ParameterizedTest
    @CsvSource({"AWAITS_OUTCOMES", "ASKS_AGAIN", "EXPECTS_OUTCOMES"})
    void endsBeforeALookThatWouldBeTooLate(PendingState state) {
        assertThat(WITH_STORE.dueNanos(state, at(300), at(2_001))).isEqualTo(at(2_000));
    }

    @ParameterizedTest
    @CsvSource({"99, NOTHING", "100, END", "200, END"})
    void endsWithinTheGraceIfThatIsLongerThanAllItsTime(long now, Due due) {
        assertThat(SHORT.due(PendingState.ASKS_STORE, at(0), at(now))).isEqualTo(due);
        assertThat(SHORT.dueNanos(PendingState.ASKS_STORE, at(0), 0)).isEqualTo(at(100));
    }

    @ParameterizedTest
    @CsvSource({
        "AWAITS_OUTCOMES, 1999, false",
        "AWAITS_OUTCOMES, 2000, true",
        "ASKS_AGAIN,      2000, true",
        "ASKS_STORE,      2000, false",
        "ASKS_LAST,       2000, false",
        "REFUSED,         2000, false"
    })
    void knowsWhetherTheTimeForOutcomesIsOver(PendingState state, long now, boolean isOver) {
        assertThat(WITH_STORE.isOutcomeTimeOver(state, at(now))).isEqualTo(isOver);
    }
}

package dev.sluice.internal.servlet.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.servlet.inflight.TicketedCall.Event;
import dev.sluice.internal.servlet.inflight.TicketedCall.State;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each transition of a call in flight, and no others. */
@Tag("server")
class TicketedCallStateTest {

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE           | IS_PARKED | GOES_ON         | GOES_TO_ERROR_PAGE | STARTS_ASYNC    | FAILS
                    ADMITTED        | PARKED    | ON_THREAD       | ON_THREAD          | ADMITTED        | ADMITTED
                    PARKED          | PARKED    | ASYNC_ON_THREAD | ASYNC_ON_THREAD    | PARKED          | DUE
                    ON_THREAD       | ON_THREAD | ON_THREAD       | ON_THREAD          | ASYNC_ON_THREAD | ON_THREAD
                    ASYNC           | ASYNC     | ASYNC_ON_THREAD | ASYNC_ON_THREAD    | ASYNC           | DUE
                    DUE             | DUE       | ASYNC_ON_THREAD | DUE_ON_THREAD      | DUE             | DUE
                    ENDED           | ENDED     | ENDED           | ENDED              | ENDED           | ENDED
                    """)
    void onItsWay(State state, State parked, State on, State errorPage, State async, State failed) {
        assertThat(state.after(Event.IS_PARKED)).isEqualTo(parked);
        assertThat(state.after(Event.GOES_ON)).isEqualTo(on);
        assertThat(state.after(Event.GOES_TO_ERROR_PAGE)).isEqualTo(errorPage);
        assertThat(state.after(Event.STARTS_ASYNC)).isEqualTo(async);
        assertThat(state.after(Event.FAILS)).isEqualTo(failed);
    }

    /** While a thread serves an asynchronous call. */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    EVENT              | ASYNC_ON_THREAD | DUE_ON_THREAD
                    IS_PARKED          | ASYNC_ON_THREAD | DUE_ON_THREAD
                    GOES_ON            | ASYNC_ON_THREAD | ASYNC_ON_THREAD
                    GOES_TO_ERROR_PAGE | ASYNC_ON_THREAD | DUE_ON_THREAD
                    STARTS_ASYNC       | ASYNC_ON_THREAD | DUE_ON_THREAD
                    FAILS              | DUE_ON_THREAD   | DUE_ON_THREAD
                    """)
    void ofAnAsynchronousCallOnAThread(Event event, State usual, State due) {
        assertThat(State.ASYNC_ON_THREAD.after(event)).isEqualTo(usual);
        assertThat(State.DUE_ON_THREAD.after(event)).isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE           | RETURNS  | IS_ABANDONED    | IS_COMPLETE | ENDS
                    ADMITTED        | ADMITTED | ADMITTED        | ENDED       | ENDED
                    PARKED          | PARKED   | ENDED           | ENDED       | ENDED
                    ON_THREAD       | ENDED    | ON_THREAD       | ENDED       | ENDED
                    ASYNC_ON_THREAD | ASYNC    | ASYNC_ON_THREAD | ENDED       | ENDED
                    ASYNC           | ASYNC    | ENDED           | ENDED       | ENDED
                    DUE_ON_THREAD   | DUE      | DUE_ON_THREAD   | ENDED       | ENDED
                    DUE             | DUE      | ENDED           | ENDED       | ENDED
                    ENDED           | ENDED    | ENDED           | ENDED       | ENDED
                    """)
    void toTheEnd(State state, State returned, State abandoned, State complete, State ended) {
        assertThat(state.after(Event.RETURNS)).isEqualTo(returned);
        assertThat(state.after(Event.IS_ABANDONED)).isEqualTo(abandoned);
        assertThat(state.after(Event.IS_COMPLETE)).isEqualTo(complete);
        assertThat(state.after(Event.ENDS)).isEqualTo(ended);
    }

    /** The tables above name them all. */
    @Test
    void areOfNoOtherStatesOrEvents() {
        assertThat(State.values()).hasSize(8);
        assertThat(Event.values()).hasSize(9);
    }
}

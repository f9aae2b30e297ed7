package dev.sluice.internal.servlet.underway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The wait of a parked call ends once, however its container behaves. */
class ParkedCallTest {

    private final AsyncContext async = mock();
    private final HttpServletResponse response = mock();
    private final Set<ParkedCall> parked = new HashSet<>();
    private final ParkedCall call = new ParkedCall(async, parked, false);
    private final List<String> written = new ArrayList<>();

    @BeforeEach
    void giveResponse() {
        when(async.getResponse()).thenReturn(response);
    }

    @Test
    void isAnsweredHereIfTheContainerHasNoThread() {
        doThrow(new IllegalStateException("stops")).when(async).start(any());
        call.answer(() -> written.add("refused"));
        assertThat(written).containsExactly("refused");
        verify(async).complete();
        assertThat(parked).isEmpty();
    }

    @Test
    void isCompletedEvenIfItsAnswerFails() {
        doThrow(new IllegalStateException("stops")).when(async).start(any());
        assertThatThrownBy(() -> call.answer(() -> {
                    throw new IllegalStateException("broken by intent");
                }))
                .hasMessage("broken by intent");
        verify(async).complete();
    }

    @Test
    void isNotAnsweredOnceItIsDispatched() {
        call.dispatch(() -> written.add("prepared"));
        call.answer(() -> written.add("refused"));
        call.refuse();
        assertThat(written).containsExactly("prepared");
        verify(async).dispatch();
        verify(async, never()).complete();
    }

    @Test
    void isNotUsedOnceItHasEnded() {
        call.cancel();
        call.dispatch(() -> written.add("prepared"));
        call.answer(() -> written.add("refused"));
        assertThat(written).isEmpty();
        verify(async, never()).dispatch();
        verify(async, never()).start(any());
    }

    @Test
    void isAskedToRetryIfItCannotBePrepared() {
        assertThatThrownBy(() -> call.dispatch(() -> {
                    throw new IllegalStateException("broken by intent");
                }))
                .hasMessage("broken by intent");
        verify(response).setStatus(503);
        verify(async).complete();
        assertThat(call.isItsTurn()).isFalse();
    }

    @Test
    void isNotAdmittedByATimeout() {
        call.timedOut();
        verify(response).setStatus(503);
        verify(async, never()).dispatch();
    }
}

package dev.sluice.internal.servlet.inflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The parking of a call ends once, however its container behaves. */
@Tag("server")
class ParkedCallTest {

    private final AsyncContext async = mock();
    private final HttpServletResponse response = mock();
    private final Set<ParkedCall> parked = new HashSet<>();
    private final ParkedCall call = new ParkedCall(async, new ParkedResponse(response), parked, () -> {});

    @BeforeEach
    void giveResponse() {
        when(async.getResponse()).thenReturn(response);
    }

    @Test
    void isNotAnsweredOnceItIsDispatched() {
        call.dispatch();
        call.refuse();
        verify(async).dispatch();
        verify(async, never()).complete();
    }

    @Test
    void isNotUsedOnceItHasEnded() {
        call.cancel();
        call.dispatch();
        call.refuse();
        verify(async, never()).dispatch();
        verify(async, never()).complete();
        assertThat(parked).isEmpty();
    }
}

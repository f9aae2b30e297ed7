package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What containers may do, and those of the other tests do not. */
class TicketedCallTest {

    private final FakeExchange exchange = FakeExchange.get("/product/1");
    private final TicketFake limiter = TicketFake.atOnce();
    private final List<AsyncListener> listeners = new ArrayList<>();

    private void startAsync() {
        AsyncContext async = mock();
        doAnswer(call -> listeners.add(call.getArgument(0)))
                .when(async)
                .addListener(org.mockito.ArgumentMatchers.<AsyncListener>any());
        when(exchange.request.startAsync()).thenReturn(async);
    }

    /** The specification says that a request which has been dispatched already is not "started" any more. */
    @Test
    void isNotOverWhenAnotherThreadDispatchesItBeforeTheChainReturns() throws Exception {
        startAsync();
        new RateLimitFilter(limiter).doFilter(exchange.request, exchange.response, (request, response) -> {
            ((HttpServletRequest) request).startAsync();
            when(exchange.request.isAsyncStarted()).thenReturn(false);
        });
        assertThat(limiter.furtherEnds()).isEmpty();
        exchange.response.setStatus(401);
        listeners.get(0).onComplete(new AsyncEvent(mock(AsyncContext.class)));
        listeners.get(0).onComplete(new AsyncEvent(mock(AsyncContext.class)));
        assertThat(limiter.furtherEnds()).containsExactly(401);
    }
}

package dev.sluice.internal.servlet.underway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.RateLimiter;
import dev.sluice.internal.servlet.contract.Decisions;
import dev.sluice.internal.servlet.contract.TicketFake;
import dev.sluice.servlet.FakeExchange;
import dev.sluice.servlet.FilterQueue;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** A call that is parked before it is decided ends properly, whatever its caller and the container do meanwhile. */
class ParkedCallsTest {

    private static final Decision REFUSED = Decisions.refused(Decisions.PRODUCT, 6_500);

    private final FakeExchange exchange = FakeExchange.get("/product/1");
    private final AsyncContext async = mock();
    private final CompletableFuture<Decision> deciding = new CompletableFuture<>();
    private final RateLimitFilter filter = new RateLimitFilter(new RateLimiter() {
        @Override
        public Decision decide(Call call) {
            throw new AssertionError("the call is decided a second time");
        }

        @Override
        public CompletionStage<Decision> decideAsync(Call call, Executor executor) {
            return deciding;
        }
    });

    private final ServletContext context = mock();

    @BeforeEach
    void parkAll() throws Exception {
        init(filter, "all");
        allowAsync(exchange);
    }

    private void init(RateLimitFilter started, String parking) throws Exception {
        when(context.getContextPath()).thenReturn("");
        FilterConfig config = mock();
        when(config.getServletContext()).thenReturn(context);
        when(config.getInitParameterNames()).thenReturn(Collections.enumeration(List.of("parking")));
        when(config.getInitParameter("parking")).thenReturn(parking);
        started.init(config);
    }

    private void allowAsync(FakeExchange exchange) {
        when(exchange.request.getServletContext()).thenReturn(context);
        when(exchange.request.isAsyncSupported()).thenReturn(true);
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(exchange.request.startAsync(any(), any())).thenReturn(async);
        when(async.getResponse()).thenReturn(exchange.response);
    }

    /** Sends a call through the filter; returns the listener that the container notifies of it. */
    private AsyncListener park() throws Exception {
        FilterChain none = (request, response) -> {
            throw new AssertionError("the call continues");
        };
        filter.doFilter(exchange.request, exchange.response, none);
        ArgumentCaptor<AsyncListener> listener = ArgumentCaptor.captor();
        verify(async).addListener(listener.capture());
        assertThat(FilterQueue.isQueueing(filter, 1)).isTrue();
        return listener.getValue();
    }

    /** Tomcat may drop a call without any report. */
    @Test
    void isNotParkedForeverIfTheContainerLosesIt() throws Exception {
        park();
        when(exchange.request.getAttribute(anyString())).thenReturn(null);
        Eventually.await("the end of the call", deciding::isCancelled);
        assertThat(FilterQueue.isQueueing(filter, 0)).isTrue();
    }

    @Test
    void isCancelledOnceItsCallerIsKnownToHaveDisconnected() throws Exception {
        park().onError(new AsyncEvent(async, new IOException("reset by peer")));
        assertThat(deciding).isCancelled();
        assertThat(FilterQueue.isQueueing(filter, 0)).isTrue();
    }

    @Test
    void mayBeRefusedAfterTheContainerHasEndedIt() throws Exception {
        ArgumentCaptor<Runnable> answer = ArgumentCaptor.captor();
        park();
        deciding.complete(REFUSED);
        verify(async).start(answer.capture());
        doThrow(new IllegalStateException("it has completed")).when(async).complete();
        assertThatCode(answer.getValue()::run).doesNotThrowAnyException();
    }

    /** Invented tenants must not take all places in which calls by address or user wait. */
    @Test
    void threeQuartersOfThePlacesAreForCallersWhoCanBeMadeUp() throws Exception {
        TicketFake tickets = TicketFake.after(60_000);
        List<Boolean> staysOnThread = new ArrayList<>();
        RateLimitFilter turns = new RateLimitFilter(call -> {
            boolean isMadeUp = call.path().equals("/by-header");
            staysOnThread.add(call.holdsThread(isMadeUp));
            return call.holdsThread(isMadeUp) ? REFUSED : tickets.decide(call);
        });
        init(turns, "turns");
        for (int i = 0; i < 751; i++) {
            queue(turns, "/by-header");
        }
        assertThat(staysOnThread.subList(0, 750)).containsOnly(false);
        assertThat(staysOnThread.get(750)).isTrue();
        queue(turns, "/by-address");
        assertThat(staysOnThread.get(751)).isFalse();
        assertThat(FilterQueue.isQueueing(turns, 751)).isTrue();
        turns.destroy();
    }

    private void queue(RateLimitFilter turns, String path) throws Exception {
        FakeExchange fresh = FakeExchange.get(path);
        allowAsync(fresh);
        turns.doFilter(fresh.request, fresh.response, (request, response) -> {
            throw new AssertionError("the call continues");
        });
    }

    @Test
    void isDecidedOnceEvenIfTheContainerDoesNotParkIt() throws Exception {
        TicketFake tickets = TicketFake.atOnce();
        doAnswer(call -> {
                    deciding.complete(tickets.decide(null));
                    throw new IllegalStateException("broken by a test");
                })
                .when(exchange.request)
                .startAsync(any(), any());
        filter.doFilter(exchange.request, exchange.response, (request, response) -> exchange.status = 403);
        verify(async, never()).addListener(any());
        assertThat(tickets.furtherEnds()).containsExactly(403);
    }
}

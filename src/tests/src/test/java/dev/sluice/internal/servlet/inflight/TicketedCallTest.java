package dev.sluice.internal.servlet.inflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.ArgumentMatchers.startsWith;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.sluice.Decision;
import dev.sluice.LoginTicket;
import dev.sluice.SlowWork;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.servlet.contract.TicketFake;
import dev.sluice.servlet.FakeExchange;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.RefusalHandler;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

/** Behaviour that the specification allows, but the containers of the other tests do not show. */
@Tag("server")
class TicketedCallTest {

    private final FakeExchange exchange = FakeExchange.get("/product/1");
    private final TicketFake limiter = TicketFake.atOnce();
    private final List<AsyncListener> listeners = new ArrayList<>();

    private void startAsync() {
        AsyncContext async = mock();
        doAnswer(call -> listeners.add(call.getArgument(0))).when(async).addListener(any(AsyncListener.class));
        when(exchange.request.startAsync()).thenReturn(async);
    }

    @Test
    void leavesNoThreadOnceTheFilterStops() throws Exception {
        SlowWork work = new SlowWork();
        AsyncContext async = queued();
        doAnswer(call -> {
                    work.run();
                    return null;
                })
                .when(async)
                .dispatch();
        RateLimitFilter filter = new RateLimitFilter(TicketFake.after(1));
        filter.doFilter(exchange.request, exchange.response, mock());
        work.assertIsWaitedForBy(filter::destroy);
    }

    /** Tomcat may recycle the response as soon as the caller has disconnected. */
    @Test
    void keepsTheSentStatusIfTheContainerRecyclesTheResponse() throws Exception {
        startAsync();
        new RateLimitFilter(limiter)
                .doFilter(exchange.request, exchange.response, (request, response) -> request.startAsync());
        when(exchange.response.isCommitted()).thenReturn(true);
        exchange.status = 200;
        AsyncEvent gone = new AsyncEvent(mock(), new IOException("reset by peer"));
        listeners.get(0).onError(gone);
        when(exchange.response.isCommitted()).thenReturn(false);

        listeners.get(0).onComplete(gone);

        assertThat(limiter.furtherEnds()).containsExactly(200);
    }

    /** A limiter that fails must not keep anybody out. */
    @Test
    void aLoginProceedsIfTheLimiterCannotJudgeIt() {
        LoginTicket broken = mock();
        when(broken.beginLogin(null)).thenThrow(new IllegalStateException("broken by a test"));
        doThrow(new IllegalStateException("broken by a test")).when(broken).loginEnded(true);
        FaultLog faults = mock();
        TicketedCall call = new TicketedCall(broken, new AsyncCalls(faults, mock()), (request, one) -> true, false);

        assertThat(call.logins().begin(null)).isNotNull();
        verify(faults)
                .report(eq("The rate limiter failed to judge a login attempt. Such attempts are allowed."), any());
        call.logins().ended(true);
        verify(faults).report(startsWith("The rate limiter failed to count a login"), any());
    }

    /** The request can be parked. */
    private AsyncContext queued() {
        AsyncContext async = mock();
        ServletContext context = mock();
        when(context.getContextPath()).thenReturn("");
        when(exchange.request.getServletContext()).thenReturn(context);
        when(exchange.request.isAsyncSupported()).thenReturn(true);
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(exchange.request.startAsync(any(), any())).thenReturn(async);
        when(async.getResponse()).thenReturn(exchange.response);
        return async;
    }

    @Test
    void isAskedToRetryIfTheContainerDoesNotDispatchIt() throws Exception {
        AsyncContext async = queued();
        doThrow(new IllegalStateException("broken by a test")).when(async).dispatch();
        TicketFake queueing = TicketFake.after(1);

        FilterChain none = (request, response) -> {
            throw new AssertionError("the call continues");
        };
        RateLimitFilter filter = new RateLimitFilter(queueing);
        filter.doFilter(exchange.request, exchange.response, none);

        verify(async, timeout(10_000)).complete();
        ArgumentCaptor<AsyncListener> listener = ArgumentCaptor.captor();
        verify(async).addListener(listener.capture());
        listener.getValue().onComplete(new AsyncEvent(async));
        assertThat(queueing.furtherEnds()).containsExactly(503);
        assertThat(exchange.headers).containsEntry("Retry-After", "1");
    }

    @Test
    void isQueuedOnItsThreadIfTheContainerDoesNotStartAsync() throws Exception {
        ServletContext context = mock();
        when(context.getContextPath()).thenReturn("");
        when(exchange.request.getServletContext()).thenReturn(context);
        when(exchange.request.isAsyncSupported()).thenReturn(true);
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(exchange.request.startAsync(any(), any())).thenThrow(new IllegalStateException("broken by a test"));
        TicketFake queueing = TicketFake.after(1);
        new RateLimitFilter(queueing)
                .doFilter(exchange.request, exchange.response, (request, response) -> exchange.status = 403);
        assertThat(queueing.furtherEnds()).containsExactly(403);
    }

    @Test
    void isRefusedAsBusyIfItCannotBeParkedAndTooManyAreQueuedOnThreads() throws Exception {
        TicketFake busy = TicketFake.busyFor(6_500);
        List<Decision> handled = new ArrayList<>();
        RateLimitFilter filter = new RateLimitFilter(busy, (request, response, decision) -> {
            handled.add(decision);
            RefusalHandler.PROBLEM_JSON.refuse(request, response, decision);
        });
        FilterChain none = (request, response) -> {
            throw new AssertionError("the call continues");
        };

        filter.doFilter(exchange.request, exchange.response, none);

        assertThat(exchange.status).isEqualTo(429);
        assertThat(exchange.headers)
                .containsEntry("Retry-After", "7")
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("x-ratelimit-limit", "1000");
        assertThat(exchange.body())
                .contains("#temporary-reduced-capacity", "Too many calls are already pending; try again in 7 seconds.");
        assertThat(handled).singleElement().satisfies(decision -> {
            assertThat(decision.outcome()).isEqualTo(Decision.Outcome.REFUSED_BUSY);
            assertThat(decision.ticket()).isNull();
        });
        assertThat(busy.furtherEnds()).containsExactly(429);
        exchange.response.reset();
        filter.doFilter(exchange.request, exchange.response, (request, response) -> {});
        assertThat(exchange.headers).containsEntry("Retry-After", "7");
        assertThat(busy.furtherEnds()).containsExactly(429);
    }

    @Test
    void endsAtOnceIfItCannotBeRemembered() throws Exception {
        doThrow(new IllegalStateException("broken by a test"))
                .when(exchange.request)
                .setAttribute(anyString(), any());
        new RateLimitFilter(limiter)
                .doFilter(exchange.request, exchange.response, (request, response) -> exchange.status = 403);
        assertThat(exchange.status).isEqualTo(403);
        assertThat(limiter.furtherEnds()).containsExactly(500);
    }

    /** By the specification, a request that has been dispatched is no longer "started". */
    @Test
    void doesNotEndIfAnotherThreadDispatchesItBeforeTheChainReturns() throws Exception {
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

    /** The application may know what to answer to that. */
    @Test
    void endsWithItsAnswerIfItCannotWriteOnItsThread() throws Exception {
        IOException fault = new IOException("broken by a test");
        doThrow(fault).when(exchange.response).flushBuffer();
        new RateLimitFilter(limiter).doFilter(exchange.request, exchange.response, (request, response) -> {
            assertThatThrownBy(response::flushBuffer).isSameAs(fault);
            exchange.status = 403;
        });
        assertThat(limiter.furtherEnds()).containsExactly(403);
    }

    @Test
    void continuesIfItCouldNotReadBeforeItBecameAsynchronous() throws Exception {
        startAsync();
        ServletInputStream stream = mock();
        when(stream.read()).thenThrow(new IOException("broken by a test"));
        when(exchange.request.getInputStream()).thenReturn(stream);
        FaultLog faults = mock();
        TicketedCall call = new TicketedCall(mock(), new AsyncCalls(faults, mock()), (request, one) -> true, false);
        call.goOn(exchange.request, exchange.response, (request, response) -> {
            ServletInputStream body = request.getInputStream();
            assertThatThrownBy(body::read).isInstanceOf(IOException.class);
            request.startAsync();
        });
        assertThat(call.looksAbandoned()).isFalse();
    }
}

package dev.sluice.internal.servlet.inflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.sluice.Ticket;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.servlet.contract.TicketFake;
import dev.sluice.servlet.FakeExchange;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Asynchronous calls that a container abandons still end. Time passes only as the tests say. */
@Tag("server")
class AsyncCallsTest {

    private final FakeExchange exchange = FakeExchange.get("/product/1");
    private final TicketFake limiter = TicketFake.atOnce();
    private final ScheduledThreadPoolExecutor timer = mock();
    private final AsyncCalls calls =
            new AsyncCalls(new FaultLog(LoggerFactory.getLogger(AsyncCallsTest.class), Level.ERROR), timer);
    private final AsyncContext async = mock();
    private TicketedCall call;
    private AsyncListener container;
    private HttpServletRequest seen;
    private HttpServletResponse response;
    private long nowMillis;

    @BeforeEach
    void begin() throws Exception {
        doAnswer(added -> container = added.getArgument(0)).when(async).addListener(any(AsyncListener.class));
        when(exchange.request.startAsync()).thenReturn(async);
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        RememberedDecision remembered = RememberedDecision.undecided(limiter, () -> java.time.Instant.EPOCH, null)
                .decided(limiter.decide(mock()), exchange.request, calls, false);
        call = remembered.ticketed();
        goOn((request, answer) -> {
            request.startAsync();
            seen = (HttpServletRequest) request;
            response = (HttpServletResponse) answer;
        });
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.ASYNC);
    }

    private void goOn(FilterChain chain) throws Exception {
        call.goOn(exchange.request, exchange.response, chain);
    }

    private void fails(Throwable fault) throws IOException {
        container.onError(new AsyncEvent(async, fault));
    }

    /** Lets time pass, with four checks a second, like the timer. */
    private void pass(long millis) {
        for (long end = nowMillis + millis; nowMillis < end; ) {
            nowMillis += 250;
            calls.look(TimeUnit.MILLISECONDS.toNanos(nowMillis));
        }
    }

    private void endsWithinTwoSeconds(int status) throws IOException {
        pass(1_000);
        assertThat(limiter.furtherEnds()).isEmpty();
        pass(1_000);
        assertThat(limiter.furtherEnds()).containsExactly(status);
        container.onComplete(new AsyncEvent(async));
        pass(2_000);
        assertThat(limiter.furtherEnds()).containsExactly(status);
    }

    private void goesOnUntilItIsComplete() throws IOException {
        pass(600_000);
        assertThat(limiter.furtherEnds()).isEmpty();
        exchange.status = 403;
        container.onComplete(new AsyncEvent(async));
        assertThat(limiter.furtherEnds()).containsExactly(403);
    }

    @Test
    void continueWhileTheContainerHasThem() throws Exception {
        goesOnUntilItIsComplete();
    }

    @Test
    void endIfNothingFollowsAnError() throws Exception {
        fails(new IOException("broken by a test"));
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void endWithTheStatusThatTheCallerGot() throws Exception {
        exchange.committed = true;
        fails(new IOException("broken by a test"));
        exchange.committed = false; // the container has recycled the response
        endsWithinTwoSeconds(200);
    }

    private void beginsItsAnswerAndIsRecycled() throws IOException {
        exchange.committed = true;
        response.flushBuffer();
        exchange.committed = false;
    }

    @Test
    void endWithTheStatusThatTheCallerGotIfAnErrorFollowsTheRecycling() throws Exception {
        beginsItsAnswerAndIsRecycled();
        fails(new IOException("broken by a test"));
        endsWithinTwoSeconds(200);
    }

    @Test
    void endWithTheStatusThatTheCallerGotIfTheContainerIsSilent() throws Exception {
        beginsItsAnswerAndIsRecycled();
        exchange.request.setAttribute(RememberedDecision.class.getName(), "of another call");
        endsWithinTwoSeconds(200);
    }

    @Test
    void endWithTheStatusThatTheDispatchSent() throws Exception {
        exchange.committed = true;
        goOn((request, answer) -> request.startAsync());
        exchange.committed = false;
        fails(new IOException("broken by a test"));
        endsWithinTwoSeconds(200);
    }

    @Test
    void endIfNothingFollowsAFaultOfTheApplication() throws Exception {
        fails(new IllegalStateException("broken by a test"));
        endsWithinTwoSeconds(500);
    }

    @Test
    void continueIfADispatchFollowsAnError() throws Exception {
        fails(new IllegalStateException("broken by a test"));
        pass(500);
        goOn((request, answer) -> {
            pass(10_000);
            request.startAsync();
        });
        pass(600_000);
        assertThat(limiter.furtherEnds()).isEmpty();
        container.onComplete(new AsyncEvent(async));
        assertThat(limiter.furtherEnds()).hasSize(1);
    }

    @Test
    void continueWhileAnErrorPageIsServed() throws Exception {
        fails(new IllegalStateException("broken by a test"));
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.ERROR);
        goOn((request, answer) -> pass(10_000));
        endsWithinTwoSeconds(500);
    }

    @Test
    void endIfNothingFollowsADispatchWhoseCallerHasDisconnected() throws Exception {
        fails(new IOException("broken by a test"));
        goOn((request, answer) -> pass(10_000));
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void endIfADispatchThrows() {
        IllegalStateException fault = new IllegalStateException("broken by a test");
        assertThatThrownBy(() -> goOn((request, answer) -> {
                    request.startAsync();
                    throw fault;
                }))
                .isSameAs(fault);
        assertThat(limiter.furtherEnds()).containsExactly(500);
    }

    @Test
    void endUnansweredIfADispatchThrowsAfterTheirCallerHasDisconnected() throws Exception {
        fails(new IOException("broken by a test"));
        assertThatThrownBy(() -> goOn((request, answer) -> {
                    throw new IOException("broken by a test");
                }))
                .isInstanceOf(IOException.class);
        assertThat(limiter.furtherEnds()).containsExactly(Ticket.UNANSWERED);
    }

    /** By then the response may be that of another call. */
    @Test
    void keepTheStatusOfTheFirstReadThatFailed() throws Exception {
        cannotRead();
        exchange.committed = true;
        assertThatThrownBy(() -> seen.getInputStream().read()).isInstanceOf(IOException.class);
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void endIfNothingFollowsAnErrorThatADispatchSends() throws Exception {
        when(exchange.request.isAsyncStarted()).thenReturn(true);
        doAnswer(sent -> exchange.status = sent.getArgument(0))
                .when(exchange.response)
                .sendError(anyInt());
        goOn((request, answer) -> {
            request.startAsync();
            ((HttpServletResponse) answer).sendError(503);
        });
        endsWithinTwoSeconds(503);
    }

    /** Tomcat forgets such an error only in a dispatch. */
    @Test
    void continueAfterAnErrorThatAnErrorPageSends() throws Exception {
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.ERROR);
        when(exchange.request.isAsyncStarted()).thenReturn(true);
        goOn((request, answer) -> {
            request.startAsync();
            ((HttpServletResponse) answer).sendError(503);
        });
        goesOnUntilItIsComplete();
    }

    @Test
    void endIfTheContainerHasRecycledTheRequest() throws Exception {
        exchange.request.setAttribute(RememberedDecision.class.getName(), "of another call");
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void endIfTheContainerForbidsUsingTheRequest() throws Exception {
        when(exchange.request.getAttribute(RememberedDecision.class.getName())).thenThrow(new IllegalStateException());
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void continueIfTheRequestLosesItsAttributesForAMoment() throws Exception {
        Object remembered = exchange.request.getAttribute(RememberedDecision.class.getName());
        for (int i = 0; i < 10; i++) {
            exchange.request.setAttribute(RememberedDecision.class.getName(), "of another call");
            pass(750);
            exchange.request.setAttribute(RememberedDecision.class.getName(), remembered);
            pass(250);
        }
        goesOnUntilItIsComplete();
    }

    @Test
    void endIfTheApplicationCannotWrite() throws Exception {
        IOException fault = new IOException("broken by a test");
        ServletOutputStream stream = mock();
        doThrow(fault).when(stream).write(any(), anyInt(), anyInt());
        when(exchange.response.getOutputStream()).thenReturn(stream);
        assertThatThrownBy(() -> response.getOutputStream().write(new byte[8])).isSameAs(fault);
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void endIfTheApplicationCannotFlush() throws Exception {
        IOException fault = new IOException("broken by a test");
        doThrow(fault).when(exchange.response).flushBuffer();
        assertThatThrownBy(() -> response.flushBuffer()).isSameAs(fault);
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void endIfTheWriterSwallowsAFault() throws Exception {
        PrintWriter writer = mock();
        when(writer.checkError()).thenReturn(true);
        when(exchange.response.getWriter()).thenReturn(writer);
        PrintWriter watched = response.getWriter();
        watched.println("hello");
        watched.flush();
        verify(writer).println(); // with the container's end of line
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void haveTheContainersNextWriterAfterAReset() throws Exception {
        PrintWriter before = mock();
        PrintWriter after = mock();
        when(exchange.response.getWriter()).thenReturn(before, after);
        response.getWriter().println();
        response.reset();
        response.getWriter().println();
        verify(before, times(1)).println();
        verify(after, times(1)).println();
    }

    private void cannotRead() throws IOException {
        IOException fault = new IOException("broken by a test");
        ServletInputStream stream = mock();
        when(stream.read()).thenThrow(fault);
        when(exchange.request.getInputStream()).thenReturn(stream);
        assertThatThrownBy(() -> seen.getInputStream().read()).isSameAs(fault);
    }

    @Test
    void endIfTheApplicationCannotRead() throws Exception {
        cannotRead();
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void endIfTheApplicationCannotReadText() throws Exception {
        BufferedReader text = new BufferedReader(Reader.nullReader());
        text.close();
        when(exchange.request.getReader()).thenReturn(text);
        assertThatThrownBy(() -> seen.getReader().readLine()).isInstanceOf(IOException.class);
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    @Test
    void endIfAReadListenerReceivesAnError() throws Exception {
        ServletInputStream stream = mock();
        when(exchange.request.getInputStream()).thenReturn(stream);
        ReadListener listener = mock();
        seen.getInputStream().setReadListener(listener);
        ArgumentCaptor<ReadListener> heard = ArgumentCaptor.captor();
        verify(stream).setReadListener(heard.capture());
        heard.getValue().onDataAvailable();
        pass(5_000);
        IOException fault = new IOException("broken by a test");
        heard.getValue().onError(fault);
        verify(listener).onDataAvailable();
        verify(listener).onError(fault);
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    /** The caller has closed one direction, and still reads. */
    @Test
    void continueWhileTheApplicationWritesAfterAFailedRead() throws Exception {
        cannotRead();
        for (int i = 0; i < 10; i++) {
            pass(750);
            response.getOutputStream().write(1);
        }
        exchange.committed = true;
        response.flushBuffer();
        endsWithinTwoSeconds(200);
    }

    @Test
    void keepTheAnswerThatFollowsAFailedRead() throws Exception {
        cannotRead();
        pass(750);
        exchange.status = 400;
        container.onComplete(new AsyncEvent(async));
        pass(2_000);
        assertThat(limiter.furtherEnds()).containsExactly(400);
    }

    @Test
    void endIfNothingFollowsADispatchAfterAFailedRead() throws Exception {
        cannotRead();
        goOn((request, answer) -> pass(10_000));
        endsWithinTwoSeconds(Ticket.UNANSWERED);
    }

    /** Tomcat discards all output after a failed write. */
    @Test
    void endIfTheApplicationContinuesAfterAFailedWrite() throws Exception {
        cannotRead();
        doThrow(new IOException("broken by a test"))
                .doNothing()
                .when(exchange.response)
                .flushBuffer();
        assertThatThrownBy(() -> response.flushBuffer()).isInstanceOf(IOException.class);
        for (int i = 0; i < 2; i++) {
            pass(750);
            response.flushBuffer();
        }
        assertThat(limiter.furtherEnds()).containsExactly(Ticket.UNANSWERED);
    }

    /** Only Undertow completes by itself the async call that the page starts. */
    @Test
    void continueAfterAnErrorPage() throws Exception {
        exchange.request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, "/product/1");
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.ERROR);
        goOn((request, answer) -> request.startAsync());
        goesOnUntilItIsComplete();
    }

    @Test
    void endAtOnceIfTheirEndIsDueWhenTheFilterStops() throws Exception {
        fails(new IllegalStateException("broken by a test"));
        calls.close();
        assertThat(limiter.furtherEnds()).containsExactly(500);
    }

    /** A container thread serves the call, so its answer counts. */
    @Test
    void endWhenTheirThreadReturnsIfTheFilterStopsMeanwhile() throws Exception {
        fails(new IllegalStateException("broken by a test"));
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.ERROR);
        goOn((request, answer) -> {
            when(timer.isShutdown()).thenReturn(true);
            calls.close();
            assertThat(limiter.furtherEnds()).isEmpty();
        });
        assertThat(limiter.furtherEnds()).containsExactly(500);
    }

    @Test
    void endAtOnceIfTheyCannotReadAfterTheFilterHasStopped() throws Exception {
        calls.close();
        when(timer.isShutdown()).thenReturn(true);
        cannotRead();
        assertThat(limiter.furtherEnds()).containsExactly(Ticket.UNANSWERED);
    }

    @Test
    void endAfterAFailedReadWhenTheFilterStops() throws Exception {
        cannotRead();
        calls.close();
        assertThat(limiter.furtherEnds()).containsExactly(Ticket.UNANSWERED);
    }

    /** The dispatch comes while the timer decides. */
    @Test
    void continueIfADispatchComesWhileACheckFindsThemAbandoned() throws Exception {
        fails(new IllegalStateException("broken by a test"));
        assertThat(call.looksAbandoned()).isTrue();
        goOn((request, answer) -> {
            call.endAbandoned();
            request.startAsync();
        });
        pass(600_000);
        assertThat(limiter.furtherEnds()).isEmpty();
    }

    /** Whatever its container or code does with it later has no effect. */
    @Test
    void areOverOnceTheyHaveEnded() throws Exception {
        container.onComplete(new AsyncEvent(async));
        assertThat(limiter.furtherEnds()).hasSize(1);
        clearInvocations(async, timer);
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.ERROR);
        when(exchange.request.isAsyncStarted()).thenReturn(true);
        goOn((request, answer) -> request.startAsync());
        cannotRead();
        fails(new IOException("broken by a test"));
        calls.close();
        verify(async, never()).addListener(any(AsyncListener.class));
        verify(timer, never()).schedule(any(Runnable.class), anyLong(), any());
        assertThat(limiter.furtherEnds()).hasSize(1);
    }

    @Test
    void endByThemselvesAfterTheFilterHasStopped() throws Exception {
        calls.close();
        goesOnUntilItIsComplete();
    }

    @Test
    void endAtOnceIfTheyFailAfterTheFilterHasStopped() throws Exception {
        calls.close();
        when(timer.isShutdown()).thenReturn(true);
        fails(new IllegalStateException("broken by a test"));
        assertThat(limiter.furtherEnds()).containsExactly(500);
    }

    @Test
    void areCheckedByOneTask() {
        calls.add(call);
        verify(timer, times(1)).schedule(any(Runnable.class), anyLong(), any());
    }

    @Test
    void areNotCheckedIfTheyAreAnsweredOnTheirThreads() throws Exception {
        ScheduledThreadPoolExecutor other = mock();
        TicketFake quick = TicketFake.atOnce();
        RememberedDecision remembered = RememberedDecision.undecided(quick, () -> java.time.Instant.EPOCH, null)
                .decided(
                        quick.decide(mock()),
                        mock(ServletRequest.class),
                        new AsyncCalls(new FaultLog(LoggerFactory.getLogger(AsyncCallsTest.class), Level.ERROR), other),
                        false);
        remembered.ticketed().goOn(FakeExchange.get("/quick").request, exchange.response, (request, answer) -> {});
        assertThat(quick.furtherEnds()).containsExactly(200);
        verify(other, never()).schedule(any(Runnable.class), anyLong(), any());
    }

    /** They were parked, and the container has been asked to dispatch them. */
    @Nested
    class OnceTheirTurnHasCome {

        private final TicketFake queue = TicketFake.after(60_000);
        private final List<DispatcherType> behind = new ArrayList<>();
        private RememberedDecision remembered;

        @BeforeEach
        void take() {
            remembered = RememberedDecision.undecided(
                            queue, () -> java.time.Instant.EPOCH, RememberedDecision.latest(exchange.request))
                    .decided(queue.decide(mock()), exchange.request, calls, false);
            ParkedCall parking =
                    new ParkedCall(async, new ParkedResponse(exchange.response), new HashSet<>(), () -> {});
            remembered.ticketed().park(exchange.request, exchange.response, parking);
            parking.dispatch();
        }

        private void returns() throws Exception {
            assertThat(remembered.goesOnIn(DispatcherType.ASYNC)).isTrue();
            assertThat(remembered.ticketed().delayMillis()).isZero();
            remembered.ticketed().goOn(exchange.request, exchange.response, (request, answer) -> {
                behind.add(request.getDispatcherType());
                pass(10_000);
            });
        }

        @Test
        void continueUntilTheyAreComplete() throws Exception {
            pass(600_000);
            returns();
            pass(600_000);
            assertThat(queue.furtherEnds()).isEmpty();
            container.onComplete(new AsyncEvent(async));
            assertThat(queue.furtherEnds()).containsExactly(200);
        }

        @Test
        void areFollowedInDispatchesAndToErrorPagesButNotInForwards() throws Exception {
            assertThat(remembered.goesOnIn(DispatcherType.FORWARD)).isTrue(); // of a filter in front
            returns();
            assertThat(remembered.goesOnIn(DispatcherType.ASYNC)).isTrue();
            assertThat(remembered.goesOnIn(DispatcherType.ERROR)).isTrue();
            assertThat(remembered.goesOnIn(DispatcherType.FORWARD)).isFalse();
            assertThat(remembered.ticketed().delayMillis()).isZero();
        }

        @Test
        void endIfNothingFollowsAnError() throws Exception {
            fails(new IOException("broken by a test"));
            pass(1_000);
            assertThat(queue.furtherEnds()).isEmpty();
            pass(1_000);
            assertThat(queue.furtherEnds()).containsExactly(Ticket.UNANSWERED);
        }

        /** The dispatch shows that the container has not lost them. */
        @Test
        void continueIfTheDispatchFollowsAnError() throws Exception {
            fails(new IllegalStateException("broken by a test"));
            returns();
            pass(600_000);
            assertThat(queue.furtherEnds()).isEmpty();
        }

        /** Otherwise filters that have never seen them would skip them. */
        @Test
        void lookNewEvenIfTheirEndWasReportedMeanwhile() throws Exception {
            fails(new IllegalStateException("broken by a test"));
            container.onComplete(new AsyncEvent(async));
            assertThat(queue.furtherEnds()).containsExactly(500);
            returns();
            assertThat(behind).containsExactly(DispatcherType.REQUEST);
            assertThat(queue.furtherEnds()).hasSize(1);
        }
    }
}

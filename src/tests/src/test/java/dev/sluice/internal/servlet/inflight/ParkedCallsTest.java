package dev.sluice.internal.servlet.inflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Ticket;
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
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;

/** A parked call ends properly, whatever its caller and the container do meanwhile. */
@Tag("server")
class ParkedCallsTest {

    private static final Decision REFUSED = Decisions.refused(Decisions.PRODUCT, 6_500);
    private static final FilterChain NONE = (request, response) -> {
        throw new AssertionError("the call continues");
    };

    private final FakeExchange exchange = FakeExchange.get("/product/1");
    private final AsyncContext async = mock();
    private final ServletContext context = mock();
    private final TicketFake tickets = TicketFake.after(60_000);
    private RateLimitFilter filter = new RateLimitFilter(tickets);

    @AfterEach
    void stop() {
        filter.destroy();
    }

    /** Sends a call through the filter. */
    private void queue(FakeExchange exchange) throws Exception {
        when(context.getContextPath()).thenReturn("");
        when(exchange.request.getServletContext()).thenReturn(context);
        when(exchange.request.isAsyncSupported()).thenReturn(true);
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(exchange.request.startAsync(any(), any())).thenReturn(async);
        when(async.getResponse()).thenReturn(exchange.response);
        filter.doFilter(exchange.request, exchange.response, NONE);
    }

    /** Parks a call; returns the listener that the container notifies of it. */
    private AsyncListener park() throws Exception {
        queue(exchange);
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
        assertThat(tickets.nextEnd()).isEqualTo(Ticket.UNANSWERED);
        assertThat(FilterQueue.isQueueing(filter, 0)).isTrue();
    }

    @Test
    void endsOnceItsCallerIsKnownToHaveDisconnected() throws Exception {
        park().onError(new AsyncEvent(async, new IOException("reset by peer")));
        assertThat(tickets.furtherEnds()).hasSize(1);
        assertThat(FilterQueue.isQueueing(filter, 0)).isTrue();
    }

    /** The filter's own timer wakens calls long before. */
    @Test
    void isDispatchedOnceTheContainerTimesItOut() throws Exception {
        park().onTimeout(new AsyncEvent(async));
        verify(async).dispatch();
        assertThat(FilterQueue.isQueueing(filter, 0)).isTrue();
    }

    /**
     * If Spring Security knows the caller only on the thread, a new dispatch would not know it. Nothing stores the
     * caller, because an application's own filter may have good reasons not to.
     */
    @Nested
    class WithAnIdentityOnItsThread {

        private static final String OF_REQUEST = RequestAttributeSecurityContextRepository.DEFAULT_REQUEST_ATTR_NAME;
        private static final String OF_SESSION = HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY;

        private final HttpSession session = mock();

        private void isParked(boolean expected) throws Exception {
            when(exchange.request.getSession(false)).thenReturn(session);
            List<Boolean> staysOnThread = new ArrayList<>();
            filter = new RateLimitFilter(call -> {
                staysOnThread.add(call.holdsThread(false));
                return REFUSED;
            });
            queue(exchange);
            assertThat(staysOnThread).containsExactly(!expected);
            verify(exchange.request, never()).setAttribute(eq(OF_REQUEST), any());
            verify(session, never()).setAttribute(any(), any());
        }

        private SecurityContext identity(String name) {
            return new SecurityContextImpl(UsernamePasswordAuthenticationToken.authenticated(name, "", List.of()));
        }

        @BeforeEach
        void logIn() {
            SecurityContextHolder.setContext(identity("ann"));
        }

        @AfterEach
        void logOut() {
            SecurityContextHolder.clearContext();
        }

        @Test
        void isQueuedOnItsThread() throws Exception {
            isParked(false);
        }

        @Test
        void isParkedIfTheRequestHoldsTheIdentityToo() throws Exception {
            when(exchange.request.getAttribute(OF_REQUEST)).thenReturn(identity("ann"));
            isParked(true);
        }

        @Test
        void isParkedIfTheSessionHoldsTheIdentityToo() throws Exception {
            when(session.getAttribute(OF_SESSION)).thenReturn(identity("ann"));
            isParked(true);
        }

        @Test
        void isQueuedOnItsThreadIfTheSessionHoldsAnother() throws Exception {
            when(session.getAttribute(OF_SESSION)).thenReturn(identity("bob"));
            isParked(false);
        }

        @Test
        void isQueuedOnItsThreadIfItsSessionHasEnded() throws Exception {
            when(session.getAttribute(OF_SESSION)).thenThrow(new IllegalStateException("invalidated"));
            isParked(false);
        }

        /** Spring Security calls everybody so whom it does not know, in each dispatch. */
        @Test
        void isParkedIfItsCallerIsAnonymous() throws Exception {
            SecurityContextHolder.setContext(new SecurityContextImpl(new AnonymousAuthenticationToken(
                    "key", "anonymous", AuthorityUtils.createAuthorityList("NOBODY"))));
            isParked(true);
        }

        @Test
        void isParkedIfItsCallerIsUnknown() throws Exception {
            SecurityContextHolder.clearContext();
            isParked(true);
        }
    }

    /** The container reports the end of a call whose turn has come, but the filter has not seen it again. */
    @Nested
    class WithoutReturning {

        /** Sends another call after the first one ended this way, and looks whether it is parked. */
        private void keepsParking(boolean expected, Use ofResponse) throws Exception {
            filter = new RateLimitFilter(call -> call.holdsThread(false) ? REFUSED : tickets.decide(call));
            AsyncListener listener = park();
            ArgumentCaptor<HttpServletResponse> dispatched = ArgumentCaptor.captor();
            verify(exchange.request).startAsync(any(), dispatched.capture());
            listener.onTimeout(new AsyncEvent(async)); // its turn
            ofResponse.of(dispatched.getValue());
            listener.onComplete(new AsyncEvent(async));
            queue(FakeExchange.get("/product/2"));
            assertThat(FilterQueue.isQueueing(filter, expected ? 1 : 0)).isTrue();
        }

        /** For example after a reset of the connection: that says nothing about the mapping of the filter. */
        @Test
        void keepsParkingIfNobodyAnswered() throws Exception {
            keepsParking(true, response -> {});
        }

        /** The container does so if it drops the call. */
        @Test
        void keepsParkingIfOnlyTheContainerAnswered() throws Exception {
            keepsParking(true, response -> exchange.response.sendError(503));
        }

        @Test
        void endsParkingIfTheApplicationWroteBytes() throws Exception {
            keepsParking(false, HttpServletResponse::getOutputStream);
        }

        @Test
        void endsParkingIfTheApplicationWroteText() throws Exception {
            keepsParking(false, HttpServletResponse::getWriter);
        }

        @Test
        void endsParkingIfTheApplicationSetAStatus() throws Exception {
            keepsParking(false, response -> response.setStatus(204));
        }

        @Test
        void endsParkingIfTheApplicationSentAnError() throws Exception {
            keepsParking(false, response -> response.sendError(404));
        }

        @Test
        void endsParkingIfTheApplicationSentAnErrorWithAMessage() throws Exception {
            keepsParking(false, response -> response.sendError(404, "no such product"));
        }

        @Test
        void endsParkingIfTheApplicationRedirected() throws Exception {
            keepsParking(false, response -> response.sendRedirect("/login"));
        }
    }

    @FunctionalInterface
    private interface Use {
        void of(HttpServletResponse response) throws IOException;
    }

    /** Invented tenants must not keep calls by address or user from being parked. */
    @Test
    void threeQuartersOfTheParkedCallsMayBeOfCallersWhoCanBeMadeUp() throws Exception {
        List<Boolean> staysOnThread = new ArrayList<>();
        RateLimiter queues = call -> {
            boolean isMadeUp = call.path().equals("/by-header");
            staysOnThread.add(call.holdsThread(isMadeUp));
            return call.holdsThread(isMadeUp) ? REFUSED : tickets.decide(call);
        };
        filter = new RateLimitFilter(queues);
        for (int i = 0; i < 751; i++) {
            queue(FakeExchange.get("/by-header"));
        }
        assertThat(staysOnThread.subList(0, 750)).containsOnly(false);
        assertThat(staysOnThread.get(750)).isTrue();
        queue(FakeExchange.get("/by-address"));
        assertThat(staysOnThread.get(751)).isFalse();
        assertThat(FilterQueue.isQueueing(filter, 751)).isTrue();
    }
}

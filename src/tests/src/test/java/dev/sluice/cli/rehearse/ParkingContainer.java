package dev.sluice.cli.rehearse;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.sluice.TestClock;
import dev.sluice.servlet.FakeExchange;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** A minimal container that parks calls before a filter, and resumes them by a clock set by hand. */
final class ParkingContainer {

    /**
     * The margin that the filter adds to the time for which it parks a call, so that its own timer comes before the
     * container's timeout.
     */
    private static final long SPARE_MILLIS = 30_000;

    private final RateLimitFilter filter;
    private final TestClock clock;
    private final PriorityQueue<Parked> parked =
            new PriorityQueue<>(Comparator.comparingLong(Parked::untilMillis).thenComparing(Parked::number));
    private int calls;

    ParkingContainer(RateLimitFilter filter, TestClock clock) {
        this.filter = filter;
        this.clock = clock;
    }

    private record Parked(
            long untilMillis, int number, FakeExchange exchange, FilterChain chain, List<AsyncListener> listeners) {}

    /** Makes the call; returns whether it passes, now or at its turn. */
    boolean call(FakeExchange exchange, FilterChain chain) throws IOException, ServletException {
        boolean[] served = new boolean[1];
        FilterChain watched = (request, response) -> {
            served[0] = true;
            chain.doFilter(request, response);
        };
        List<AsyncListener> listeners = new ArrayList<>();
        long[] timeout = new long[1];
        AsyncContext async = async(listeners, timeout);
        ServletContext context = mock();
        when(context.getContextPath()).thenReturn("");
        when(exchange.request.getServletContext()).thenReturn(context);
        when(exchange.request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(exchange.request.isAsyncSupported()).thenReturn(true);
        when(exchange.request.startAsync(any(), any())).thenReturn(async);
        filter.doFilter(exchange.request, exchange.response, watched);
        if (timeout[0] == 0) {
            return served[0];
        }
        long untilMillis = clock.millis() + timeout[0] - SPARE_MILLIS;
        parked.add(new Parked(untilMillis, calls++, exchange, chain, listeners));
        return true;
    }

    private static AsyncContext async(List<AsyncListener> listeners, long[] timeout) {
        AsyncContext async = mock();
        doAnswer(call -> listeners.add(call.getArgument(0))).when(async).addListener(any());
        doAnswer(call -> timeout[0] = call.getArgument(0)).when(async).setTimeout(anyLong());
        return async;
    }

    /** Moves the time on; parked calls are resumed at their turns. */
    void passUntil(long momentMillis) throws IOException, ServletException {
        while (!parked.isEmpty() && parked.peek().untilMillis() <= momentMillis) {
            Parked one = parked.remove();
            clock.set(one.untilMillis());
            AsyncEvent event = mock();
            for (AsyncListener listener : List.copyOf(one.listeners())) {
                listener.onTimeout(event);
            }
            filter.doFilter(one.exchange().request, one.exchange().response, one.chain());
            for (AsyncListener listener : List.copyOf(one.listeners())) {
                listener.onComplete(event);
            }
        }
        clock.set(momentMillis);
    }
}

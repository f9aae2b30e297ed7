package dev.sluice.servlet.underway;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** The request of a call with a ticket, as the code behind the filter sees it: reports when it becomes asynchronous. */
final class WatchedRequest extends HttpServletRequestWrapper {

    private final UnaryOperator<AsyncContext> begunAsync;
    private final BooleanSupplier isResumed;

    /**
     * Wraps a request.
     *
     * @param begunAsync called when asynchronous processing begins; returns the context for the code behind the filter
     * @param isResumed whether a parked call goes on in this dispatch
     */
    WatchedRequest(HttpServletRequest request, UnaryOperator<AsyncContext> begunAsync, BooleanSupplier isResumed) {
        super(request);
        this.begunAsync = begunAsync;
        this.isResumed = isResumed;
    }

    @Override
    public AsyncContext startAsync() {
        return begunAsync.apply(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return begunAsync.apply(super.startAsync(request, response));
    }

    /** A parked call that goes on looks like a new request, since many filters skip async dispatches. */
    @Override
    public DispatcherType getDispatcherType() {
        DispatcherType type = super.getDispatcherType();
        return type == DispatcherType.ASYNC && isResumed.getAsBoolean() ? DispatcherType.REQUEST : type;
    }
}

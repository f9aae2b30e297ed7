package dev.sluice.servlet.underway;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** The request of a call with a ticket, as those behind the filter see it: tells when it is handled asynchronously. */
final class WatchedRequest extends HttpServletRequestWrapper {

    private final UnaryOperator<AsyncContext> begunAsync;
    private final BooleanSupplier isBack;

    /**
     * Watches a request.
     *
     * @param begunAsync called when asynchronous processing begins; returns the context for the code behind the filter
     * @param isBack whether the call comes back from waiting
     */
    WatchedRequest(HttpServletRequest request, UnaryOperator<AsyncContext> begunAsync, BooleanSupplier isBack) {
        super(request);
        this.begunAsync = begunAsync;
        this.isBack = isBack;
    }

    @Override
    public AsyncContext startAsync() {
        return begunAsync.apply(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return begunAsync.apply(super.startAsync(request, response));
    }

    /** To those behind, a call that comes back from waiting is new; many filters pass over async dispatches. */
    @Override
    public DispatcherType getDispatcherType() {
        DispatcherType type = super.getDispatcherType();
        return type == DispatcherType.ASYNC && isBack.getAsBoolean() ? DispatcherType.REQUEST : type;
    }
}

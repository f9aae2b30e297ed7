package dev.sluice.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** The request of a call with a ticket, as those behind the filter see it: tells when it is handled asynchronously. */
final class WatchedRequest extends HttpServletRequestWrapper {

    private final TicketedCall call;

    WatchedRequest(HttpServletRequest request, TicketedCall call) {
        super(request);
        this.call = call;
    }

    @Override
    public AsyncContext startAsync() {
        return call.begunAsync(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return call.begunAsync(super.startAsync(request, response));
    }

    /** To those behind, a call that comes back from waiting is new; many filters pass over async dispatches. */
    @Override
    public DispatcherType getDispatcherType() {
        DispatcherType type = super.getDispatcherType();
        return type == DispatcherType.ASYNC && call.isBack() ? DispatcherType.REQUEST : type;
    }
}

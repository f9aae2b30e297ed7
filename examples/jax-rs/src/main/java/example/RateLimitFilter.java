package example;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Ticket;
import dev.sluice.http.Answers;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;

/**
 * Asks a limiter about each request before it is matched, so also about those that no resource answers. It is the last of the
 * filters that come before matching: one that changes the method or the path comes before, and limits see what resources see.
 * Thread-safe.
 */
@PreMatching
@Priority(Integer.MAX_VALUE)
final class RateLimitFilter implements ContainerRequestFilter, ContainerResponseFilter, ApplicationEventListener {

    private static final String UNDER_WAY = RateLimitFilter.class.getName();

    private final RateLimiter limiter;
    private final Answers answers;

    /** What Grizzly knows of the request on this thread; JAX-RS does not tell addresses. */
    @Inject
    private Provider<Request> connection;

    RateLimitFilter(RateLimiter limiter) {
        this.limiter = limiter;
        this.answers = new Answers(limiter);
    }

    /** JAX-RS has no filters that wait without a thread, so a call that waits does so on one of Grizzly's workers. */
    @Override
    public void filter(ContainerRequestContext request) {
        JaxRsCall call = new JaxRsCall(request, connection.get().getRemoteAddr());
        Decision decision = limiter.decide(call).inTurn();
        Answers.Answer answer = answers.to(decision, call.path());
        ((UnderWay) request.getProperty(UNDER_WAY)).decided(answer, decision.ticket());
        if (!decision.admitted()) {
            request.abortWith(Response.status(answer.status()).entity(answer.body()).build());
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        ((UnderWay) request.getProperty(UNDER_WAY)).fields.forEach(response.getHeaders()::putSingle);
    }

    @Override
    public RequestEventListener onRequest(RequestEvent start) {
        UnderWay request = new UnderWay();
        start.getContainerRequest().setProperty(UNDER_WAY, request);
        return request;
    }

    @Override
    public void onEvent(ApplicationEvent event) {}

    /**
     * A request until it ends. Jersey calls this back then, however it ends: also asynchronously, by a fault, or as a stream
     * whose caller has gone. It has to hold the ticket itself, since the properties of a request may have gone by then.
     */
    private static final class UnderWay implements RequestEventListener {

        private static final int FAULT = 500;

        private volatile Map<String, String> fields = Map.of();
        private volatile Ticket ticket;

        void decided(Answers.Answer answer, Ticket held) {
            fields = answer.fields();
            ticket = held;
        }

        @Override
        public void onEvent(RequestEvent event) {
            if (event.getType() == RequestEvent.Type.FINISHED && ticket != null) {
                ContainerResponse response = event.getContainerResponse();
                ticket.ended(response == null ? FAULT : response.getStatus());
            }
        }
    }
}

package example;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
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
 * Asks a limiter about each request before it is matched, so that requests which no resource answers are limited too.
 * This is the last of the pre-matching filters. Filters that change the method or the path come before it, so limits
 * see the same method and path as resources. Thread-safe.
 */
@PreMatching
@Priority(Integer.MAX_VALUE)
final class RateLimitFilter implements ContainerRequestFilter, ContainerResponseFilter, ApplicationEventListener {

    private static final String IN_FLIGHT = RateLimitFilter.class.getName();

    private final RateLimiter limiter;
    private final Answers answers;

    /** Grizzly's request of this thread. It has the address, which JAX-RS does not provide. */
    @Inject
    private Provider<Request> connection;

    RateLimitFilter(RateLimiter limiter) {
        this.limiter = limiter;
        this.answers = new Answers(limiter);
    }

    /** JAX-RS filters cannot wait without a thread, so a pending call blocks one of Grizzly's workers. */
    @Override
    public void filter(ContainerRequestContext request) {
        JaxRsCall call = new JaxRsCall(request, connection.get().getRemoteAddr());
        Decision decision = limiter.decide(call).inTurn();
        Answers.Answer answer = answers.to(decision, call.path());
        ((InFlight) request.getProperty(IN_FLIGHT)).decided(answer, decision);
        if (!decision.admitted()) {
            request.abortWith(Response.status(answer.status()).entity(answer.body()).build());
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        ((InFlight) request.getProperty(IN_FLIGHT)).fields.forEach(response.getHeaders()::putSingle);
    }

    @Override
    public RequestEventListener onRequest(RequestEvent start) {
        InFlight request = new InFlight();
        start.getContainerRequest().setProperty(IN_FLIGHT, request);
        return request;
    }

    @Override
    public void onEvent(ApplicationEvent event) {}

    /**
     * A request until it ends. Jersey calls {@code onEvent} however the request ends: asynchronously, with an error, or
     * as a stream whose caller has disconnected. This object keeps the decision, because the request's properties may
     * be gone by then.
     */
    private static final class InFlight implements RequestEventListener {

        private static final int FAULT = 500;

        private volatile Map<String, String> fields = Map.of();
        private volatile Decision decision = Decision.UNLIMITED;

        void decided(Answers.Answer answer, Decision made) {
            fields = answer.fields();
            decision = made;
        }

        @Override
        public void onEvent(RequestEvent event) {
            if (event.getType() == RequestEvent.Type.FINISHED) {
                ContainerResponse response = event.getContainerResponse();
                decision.ended(response == null ? FAULT : response.getStatus());
            }
        }
    }
}

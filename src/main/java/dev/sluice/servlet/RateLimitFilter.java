package dev.sluice.servlet;

import dev.sluice.RateLimiter;
import dev.sluice.RefusalBody;
import dev.sluice.config.Sluice;
import dev.sluice.config.fault.FaultLog;
import dev.sluice.servlet.call.ServletCall;
import dev.sluice.servlet.reply.LimitHeaders;
import dev.sluice.servlet.reply.ProblemReply;
import dev.sluice.servlet.reply.WrittenReply;
import dev.sluice.servlet.underway.QueuedCalls;
import dev.sluice.servlet.underway.RememberedDecision;
import dev.sluice.servlet.underway.TicketedCall;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Asks a {@link RateLimiter} about each request, then obeys: the request goes on, with headers that tell the caller how
 * much is left, or is refused. Registered in {@code web.xml} it reads its limits from a file, which the init-param
 * {@code config} may name and by default is {@code /WEB-INF/rate-limits.yml} or else {@code classpath:rate-limits.yml};
 * registered in code it is given a limiter. With the init-param {@code parking} set to {@code false}, calls that have
 * to wait for their turn do so on their threads; otherwise they are parked and dispatched again, so that all filters
 * behind must be mapped for {@code ASYNC} too. Resolvers, meters and a {@link RefusalHandler} come from the init-params
 * {@code customizer} and {@code refusalHandler}, or from attributes of the servlet context: see
 * {@link SluiceCustomizer}.
 *
 * <p>A request is counted once, whatever the dispatches. A fault inside the limiter never fails a request: it is
 * logged, and the request passes.
 */
public final class RateLimitFilter implements Filter {

    private RefusalHandler refusals;
    private final InstantSource clock;
    private final LimitHeaders headers = new LimitHeaders();
    private final FaultLog faults = new FaultLog(LoggerFactory.getLogger(RateLimitFilter.class), Level.ERROR);
    private final QueuedCalls queuedCalls = new QueuedCalls(faults);
    private final Predicate<HttpServletRequest> parks = queuedCalls::canPark;

    /** Where the page for operators is mapped, which is not limited; {@code null} if the application has none. */
    private @Nullable PageMapping page;

    private @Nullable RateLimiter limiter;
    private @Nullable AutoCloseable opened;
    private @Nullable LimitersInContext published;

    /** For {@code web.xml}: the limits are read from a file when the container initializes the filter. */
    public RateLimitFilter() {
        this.refusals = RefusalHandler.PROBLEM_JSON;
        this.clock = InstantSource.system();
    }

    /** Asks this limiter, and leaves it open when the filter is destroyed. */
    public RateLimitFilter(RateLimiter limiter) {
        this(limiter, RefusalHandler.PROBLEM_JSON);
    }

    /** The same, with refusals answered your way. */
    public RateLimitFilter(RateLimiter limiter, RefusalHandler refusals) {
        this(limiter, refusals, InstantSource.system());
    }

    /**
     * The same; where {@code headers.reset} is {@code epoch}, moments are told by this clock, which has to be the
     * limiter's.
     */
    public RateLimitFilter(RateLimiter limiter, RefusalHandler refusals, InstantSource clock) {
        this.limiter = limiter;
        this.refusals = refusals;
        this.clock = clock;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        if (!ConfiguredLimiter.parking(config)) {
            queuedCalls.parkNoMore();
        }
        page = PageMapping.of(config.getServletContext());
        if (limiter != null) {
            ConfiguredLimiter.refuseInitParams(config);
        } else {
            refusals = ApplicationParts.refusalHandler(config);
            var sluice = ConfiguredLimiter.open(config);
            limiter = sluice;
            opened = sluice;
        }
        Sluice whole = Sluice.behind(limiter);
        if (whole != null) {
            published = LimitersInContext.add(config, whole);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest httpRequest)
                || !(response instanceof HttpServletResponse httpResponse)) {
            chain.doFilter(request, response);
            return;
        }
        if (isForPage(httpRequest)) {
            chain.doFilter(request, response);
            return;
        }
        RememberedDecision remembered = ask(httpRequest, httpResponse);
        if (remembered == null) {
            chain.doFilter(request, response);
        } else if (remembered.refused()) {
            refuse(httpRequest, httpResponse, remembered);
        } else {
            TicketedCall call = remembered.ticketed();
            if (call == null) {
                chain.doFilter(request, response);
            } else if (!queuedCalls.admit(call, httpRequest, httpResponse, chain)) {
                refuseAsBusy(httpRequest, httpResponse, remembered, call);
            }
        }
    }

    @Override
    public void destroy() {
        queuedCalls.close();
        AutoCloseable closing = opened;
        if (closing != null) {
            try {
                closing.close();
            } catch (Exception e) {
                faults.report("The rate limiter could not be closed completely. The application stops as usual.", e);
            }
        }
        if (published != null) {
            published.remove();
        }
    }

    /** Whether so many calls are parked now. */
    boolean isQueueing(int calls) {
        return queuedCalls.parked() == calls;
    }

    /** Whether the page for operators answers the request, so that it is not limited. False if this cannot be found out. */
    private boolean isForPage(HttpServletRequest request) {
        PageMapping unlimited = page;
        try {
            return unlimited != null && unlimited.leadsTo(request);
        } catch (RuntimeException e) {
            faults.report("It could not be found out whether a request is for the page; such requests are limited.", e);
            return false;
        }
    }

    /** The decision to act upon; {@code null} if there is none, or if it has been acted upon in an earlier dispatch. */
    private @Nullable RememberedDecision ask(HttpServletRequest request, HttpServletResponse response) {
        RateLimiter asked = limiter;
        if (asked == null) {
            throw new IllegalStateException("RateLimitFilter was asked before init(): register it with the container, "
                    + "or construct it with a RateLimiter");
        }
        RememberedDecision remembered = null;
        try {
            RememberedDecision latest = RememberedDecision.latest(request);
            RememberedDecision earlier = RememberedDecision.of(asked, latest);
            if (earlier != null) {
                restoreHeaders(response, earlier);
                return earlier.isBack() ? earlier : null;
            }
            remembered = RememberedDecision.askAndRemember(
                    asked, new ServletCall(request, parks), request, clock, faults, latest);
            headers.write(response, remembered, false);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed; such requests pass unlimited.", e);
        }
        return remembered;
    }

    /** A container that turns to an error page may have reset the response, headers and all. */
    private void restoreHeaders(HttpServletResponse response, RememberedDecision earlier) {
        headers.write(response, earlier, true);
        if (earlier.refused()) {
            headers.writeRefusal(response, earlier, true);
        }
    }

    /** Refuses a call that the limiter admitted because it expected that the call could be parked. */
    private void refuseAsBusy(
            HttpServletRequest request, HttpServletResponse response, RememberedDecision admitted, TicketedCall call)
            throws IOException {
        try {
            RememberedDecision busy = admitted.asBusy(request);
            headers.write(response, busy, false);
            refuse(request, response, busy);
        } finally {
            call.end(response.getStatus());
        }
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, RememberedDecision remembered)
            throws IOException {
        try {
            dressRefusal(response, remembered);
            RefusalBody body = remembered.responses().body();
            if (body == null || refusals != RefusalHandler.PROBLEM_JSON) {
                refusals.refuse(request, response, remembered.decision());
            } else {
                WrittenReply.write(request, response, remembered.decision(), body);
            }
        } catch (ServletException | RuntimeException | Error e) {
            faults.report("The RefusalHandler failed; such calls are refused with a problem document instead.", e);
            if (!response.isCommitted()) {
                response.reset();
                headers.write(response, remembered, false);
                dressRefusal(response, remembered);
                ProblemReply.write(request, response, remembered.decision());
            }
        }
    }

    private void dressRefusal(HttpServletResponse response, RememberedDecision remembered) {
        response.setStatus(remembered.responses().status());
        headers.writeRefusal(response, remembered, false);
    }
}

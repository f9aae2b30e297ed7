package dev.sluice.servlet;

import dev.sluice.Decision;
import dev.sluice.Phase;
import dev.sluice.RateLimitedException;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.http.request.PageCredentials;
import dev.sluice.internal.http.request.RequestLogins;
import dev.sluice.internal.http.response.RefusalFinder;
import dev.sluice.internal.servlet.call.ServletCall;
import dev.sluice.internal.servlet.call.WelcomeFiles;
import dev.sluice.internal.servlet.inflight.AsyncCalls;
import dev.sluice.internal.servlet.inflight.ParkedCalls;
import dev.sluice.internal.servlet.inflight.RememberedDecision;
import dev.sluice.internal.servlet.inflight.TicketedCall;
import dev.sluice.internal.servlet.reply.LimitHeaders;
import dev.sluice.internal.servlet.reply.ProblemReply;
import dev.sluice.internal.servlet.reply.RefusalReply;
import dev.sluice.internal.thread.BackgroundThreads;
import dev.sluice.open.Sluice;
import jakarta.servlet.DispatcherType;
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
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Limits the requests of a web application. For each request, the filter consults a {@link RateLimiter}. An admitted
 * request continues down the chain, and its response has headers that show how many requests remain. For a refused
 * request, the filter writes the response. By default, this is status 429 with a problem document that states when to
 * retry.
 *
 * <p>In code, construct the filter with a limiter and close the limiter when the application stops:
 *
 * <pre>{@code
 * Sluice limiter = Sluice.builder().config("classpath:rate-limits.yml").open();
 * FilterRegistration.Dynamic filter = context.addFilter("rate-limits", new RateLimitFilter(limiter));
 * filter.setAsyncSupported(true);
 * filter.addMappingForUrlPatterns(
 *         EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR), false, "/*");
 * }</pre>
 *
 * <p>In {@code web.xml}, the filter opens a limiter itself, and closes it when the application stops. All init-params
 * are optional. If an init-param is unknown, the application does not start:
 *
 * <ul>
 * <li>{@code config}: the file with the limits. The default is {@code /WEB-INF/rate-limits.yml} or, if that file does
 * not exist, {@code classpath:rate-limits.yml}
 * <li>{@code store}: the URI of the store. It overrides the URI in the file
 * <li>{@code customizer}: the class of a {@link SluiceCustomizer}. A customizer adds resolvers or meters, for example
 *   <li>{@code refusalHandler}: the class of a {@link RefusalHandler}
 * <li>{@code parking}: which calls are parked without a thread: queued calls ({@code turns}, the default) or no calls
 * ({@code none}). A parked call continues in an {@code ASYNC} dispatch, so also map this filter and all filters behind
 * it for {@code ASYNC}
 * </ul>
 *
 * <p>Each limiter counts a request only once, even if the request is dispatched several times. If the limiter itself
 * fails, the filter logs an error and lets the request pass.
 *
 * <p>Thread-safe once the container has called {@link #init}.
 */
public final class RateLimitFilter implements Filter {

    /** The attribute that marks a request for the page if no limit was applied to the request. */
    private static final String FOR_PAGE = RateLimitFilter.class.getName() + ".page";

    private @Nullable RefusalHandler refusals;
    private InstantSource clock;
    private final LimitHeaders headers = new LimitHeaders();
    private final FaultLog faults = new FaultLog(LoggerFactory.getLogger(RateLimitFilter.class), Level.ERROR);
    /**
     * Wakes parked calls, and detects abandoned calls. The thread starts with the first call that is parked, or that is
     * asynchronous and has a ticket.
     */
    private final ScheduledExecutorService timer = BackgroundThreads.timer("sluice-calls");

    private final AsyncCalls asyncCalls = new AsyncCalls(faults, timer);
    private final ParkedCalls parkedCalls = new ParkedCalls(faults, timer);
    private final BiPredicate<HttpServletRequest, Boolean> canPark = parkedCalls::canPark;

    private final PageCredentials pageCredentials = new PageCredentials();

    /** The mapping of the page for operators; {@code null} if there is no page. */
    private @Nullable PageMapping page;

    private @Nullable RateLimiter limiter;
    private @Nullable AutoCloseable opened;
    private @Nullable LimiterAttribute published;

    /**
     * Creates a filter for {@code web.xml}. {@link #init} opens the limiter that the init-params describe, and {@link
     * #destroy} closes it.
     */
    public RateLimitFilter() {
        this.clock = InstantSource.system();
    }

    /**
     * Creates a filter for a limiter. The filter responds to refused calls with the template in the file or, if the
     * file has none, with a problem document. The application closes the limiter.
     *
     * @param limiter the limiter, not {@code null}; usually a {@link Sluice} or one of its phases
     */
    public RateLimitFilter(RateLimiter limiter) {
        this(limiter, null);
    }

    /**
     * Creates a filter for a limiter, with a handler that writes the body of refusals. The application closes the
     * limiter.
     *
     * @param limiter not {@code null}
     * @param refusals the handler. It replaces the template in the file, even if it is {@link
     *     RefusalHandler#PROBLEM_JSON}. {@code null} to use the template or, if the file has none, a problem document
     */
    public RateLimitFilter(RateLimiter limiter, @Nullable RefusalHandler refusals) {
        this(limiter, refusals, limiter.clock());
    }

    /**
     * Creates a filter for a custom limiter that does not use the system clock, for example in a test or a simulation.
     * This constructor is not needed for a {@link Sluice}, because the filter uses the clock of the {@code Sluice}
     * itself.
     *
     * @param limiter not {@code null}
     * @param refusals writes the body of refusals; {@code null} to use the template in the file or, if the file has
     *     none, a problem document
     * @param clock the limiter's clock, not {@code null}; used only for {@code headers.reset: epoch}
     */
    public RateLimitFilter(RateLimiter limiter, @Nullable RefusalHandler refusals, InstantSource clock) {
        this.limiter = limiter;
        this.refusals = refusals;
        this.clock = clock;
    }

    /**
     * Prepares the filter, and opens a limiter if the filter was not constructed with one.
     *
     * @throws ServletException if there is a mistake in an init-param, in a class that an init-param names, or in the
     *     file. The message lists all mistakes. The container then does not start the application
     */
    @Override
    public void init(FilterConfig config) throws ServletException {
        parkedCalls.park(ConfiguredLimiter.parking(config));
        page = PageMapping.of(config.getServletContext());
        WelcomeFiles.keep(config.getServletContext());
        if (limiter != null) {
            ConfiguredLimiter.refuseInitParams(config);
        } else {
            refusals = ApplicationParts.refusalHandler(config);
            Sluice own = ConfiguredLimiter.open(config);
            limiter = own;
            opened = own;
            clock = own.clock();
            ConfiguredLimiter.announce(config, own, LoggerFactory.getILoggerFactory());
        }
        if (limiter.whole() instanceof Sluice sluice) {
            published = LimiterAttribute.add(config, sluice);
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
        if (isErrorOfPage(httpRequest)) {
            chain.doFilter(request, response);
            return;
        }
        if (!isForPage(httpRequest)) {
            limit(httpRequest, httpResponse, chain);
            return;
        }
        String credentials = httpRequest.getHeader(PageCredentials.HEADER);
        if (credentials == null || pageCredentials.needNoLimit(credentials) || isAuthenticated(httpRequest)) {
            httpRequest.setAttribute(FOR_PAGE, true);
            chain.doFilter(request, response);
            return;
        }
        boolean mayProve = !isKnownOtherwise(httpRequest);
        RequestLogins logins = RememberedDecision.logins(httpRequest);
        logins.prove(credentials);
        limit(httpRequest, httpResponse, chain);
        boolean isAnswered = !httpRequest.isAsyncStarted(); // in async processing, the status might not be known yet
        if (isAnswered && (mayProve || logins.haveProven())) {
            pageCredentials.rememberIfAccepted(httpRequest.getMethod(), credentials, httpResponse.getStatus());
        }
    }

    private void limit(HttpServletRequest httpRequest, HttpServletResponse httpResponse, FilterChain chain)
            throws IOException, ServletException {
        RememberedDecision remembered = ask(httpRequest, httpResponse);
        if (remembered == null) {
            goOn(httpRequest, httpResponse, chain);
        } else if (remembered.refused()) {
            refuse(httpRequest, httpResponse, remembered);
        } else {
            TicketedCall call = remembered.ticketed();
            if (call == null) {
                goOn(httpRequest, httpResponse, chain);
            } else if (!parkedCalls.admit(call, httpRequest, httpResponse, (on, to) -> goOn(on, to, chain))) {
                refuseAsBusy(httpRequest, httpResponse, remembered, call);
            }
        }
    }

    /**
     * Sends the call down the chain. If a login attempt or a method call is refused further down, the chain throws an
     * exception, and this method writes the refusal.
     */
    private void goOn(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException e) {
            RateLimitedException refused =
                    RefusalFinder.in(e instanceof ServletException container ? container.getRootCause() : e);
            RateLimiter asked = limiter;
            if (refused == null
                    || asked == null
                    || response.isCommitted()
                    || !(request instanceof HttpServletRequest httpRequest)
                    || !(response instanceof HttpServletResponse httpResponse)) {
                throw e;
            }
            response.resetBuffer();
            RememberedDecision refusal = RememberedDecision.refusedLater(asked, clock, refused.decision());
            headers.write(httpResponse, refusal, false);
            refuse(httpRequest, httpResponse, refusal);
        }
    }

    /** Responds to parked calls with status 503, and closes the limiter if this filter opened it. */
    @Override
    public void destroy() {
        parkedCalls.close();
        asyncCalls.close();
        if (opened != null) {
            try {
                opened.close();
            } catch (Exception e) {
                faults.report("Could not close the rate limiter completely. The application stops as usual.", e);
            }
        }
        if (published != null) {
            published.remove();
        }
    }

    /** Whether exactly the given number of calls are currently parked. */
    boolean isQueueing(int calls) {
        return parkedCalls.parked() == calls;
    }

    /** Whether authentication has let the request pass. If so, the request cannot be a password guess. */
    private boolean isAuthenticated(HttpServletRequest request) {
        return request.getUserPrincipal() != null || (limiter != null && limiter.phase() == Phase.AFTER_AUTHENTICATION);
    }

    /**
     * Whether something other than the {@code Authorization} header could have authenticated the request. If so, that
     * header might never have been checked.
     */
    private static boolean isKnownOtherwise(HttpServletRequest request) {
        return request.getHeader("Cookie") != null
                || request.getRequestedSessionId() != null
                || request.getAttribute("jakarta.servlet.request.X509Certificate") != null;
    }

    /**
     * Whether this is the error dispatch of a request for the page, provided that no limit was applied to the request.
     */
    private boolean isErrorOfPage(HttpServletRequest request) {
        return page != null
                && request.getDispatcherType() == DispatcherType.ERROR
                && request.getAttribute(FOR_PAGE) != null;
    }

    /** Whether the request is for the page; {@code false} if the container throws an exception. */
    private boolean isForPage(HttpServletRequest request) {
        try {
            return page != null && page.leadsTo(request);
        } catch (RuntimeException e) {
            faults.report("Cannot tell whether a request is for the page; limiting such requests.", e);
            return false;
        }
    }

    /**
     * The decision to carry out; {@code null} if there is none or if an earlier dispatch has already carried it out.
     */
    private @Nullable RememberedDecision ask(HttpServletRequest request, HttpServletResponse response) {
        RateLimiter asked = limiter;
        if (asked == null) {
            throw new IllegalStateException("RateLimitFilter was called before init(): register it with the container, "
                    + "or construct it with a RateLimiter");
        }
        RememberedDecision remembered = null;
        try {
            RememberedDecision latest = RememberedDecision.latest(request);
            RememberedDecision earlier = RememberedDecision.find(asked, latest);
            if (earlier != null) {
                restoreHeaders(response, earlier);
                return earlier.goesOnIn(request.getDispatcherType()) ? earlier : null;
            }
            RememberedDecision undecided = RememberedDecision.undecided(asked, clock, latest);
            ServletCall call = new ServletCall(request, canPark);
            Decision decision = asked.decide(call);
            remembered = undecided.decided(decision, request, asyncCalls, call.staysOnThread());
            headers.write(response, remembered, false);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed; such requests pass unlimited.", e);
        }
        return remembered;
    }

    /**
     * Writes the headers again, because the container might have reset the response before it dispatched to an error
     * page.
     */
    private void restoreHeaders(HttpServletResponse response, RememberedDecision earlier) {
        headers.write(response, earlier, true);
        if (earlier.refused()) {
            headers.writeRefusal(response, earlier, true);
        }
    }

    /**
     * Refuses a call that the limiter has admitted to a queue. This is necessary if the call cannot be parked and too
     * many calls are already queued on threads.
     */
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
            writeRefusalHead(response, remembered);
            if (refusals != null) {
                refusals.refuse(request, response, remembered.decision());
            } else {
                RefusalReply.write(request, response, remembered.decision(), remembered.responses());
            }
        } catch (ServletException | RuntimeException | Error e) {
            faults.report("The RefusalHandler failed; refusing such calls with a problem document instead.", e);
            if (!response.isCommitted()) {
                response.reset();
                headers.write(response, remembered, false);
                writeRefusalHead(response, remembered);
                ProblemReply.write(request, response, remembered.decision());
            }
        }
    }

    private void writeRefusalHead(HttpServletResponse response, RememberedDecision remembered) {
        boolean isBusy = remembered.decision().outcome() == Decision.Outcome.REFUSED_BUSY;
        ResponseOptions responses = remembered.responses();
        response.setStatus(isBusy ? responses.statusIfBusy() : responses.status());
        headers.writeRefusal(response, remembered, false);
    }
}

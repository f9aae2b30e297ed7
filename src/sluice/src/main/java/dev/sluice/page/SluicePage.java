package dev.sluice.page;

import dev.sluice.internal.page.PageAccess;
import dev.sluice.internal.page.PageAnswer;
import dev.sluice.internal.page.PageAnswers;
import dev.sluice.open.Sluice;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.io.Serial;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A page for operators that shows which callers are refused, by which limit, and how many calls remain. Map it to any
 * prefix, and support async. By default nobody may read it: {@link #roles} admits users with a role, {@link #open}
 * everybody who can reach it. {@link #changeRoles} names the roles that may also give and reset.
 *
 * <pre>{@code
 * ServletRegistration.Dynamic page = context.addServlet("limits", SluicePage.of(limiter).roles("operator").changeRoles("admin"));
 * page.addMapping("/_sluice/*");
 * page.setAsyncSupported(true);
 * }</pre>
 *
 * <p>In {@code web.xml}, name this class as the servlet's class, with {@code roles}, {@code open} or
 * {@code changeRoles} as init-params. The page then shows the limiter of the {@code RateLimitFilter} in the same
 * application. It needs {@code load-on-startup} to collect figures from the start.
 *
 * <p>The filter does not limit requests for the page. No argument may be {@code null}. Thread-safe once the container
 * has called {@link #init}.
 */
public final class SluicePage extends HttpServlet {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(SluicePage.class);

    private transient @Nullable Sluice sluice;
    private transient PageAccess access = PageAccess.CLOSED;
    private transient PageAccess changes = PageAccess.CLOSED;
    /** Not {@code null} while the servlet runs. */
    private transient @Nullable PageAnswers answers;

    /** For {@code web.xml}: shows the limiter of the {@code RateLimitFilter} in the same application. */
    public SluicePage() {}

    private SluicePage(Sluice sluice) {
        this.sluice = sluice;
    }

    /** Shows this limiter. Nobody may read the page yet. */
    public static SluicePage of(Sluice sluice) {
        return new SluicePage(sluice);
    }

    /**
     * Admits users to whom the container gives one of these roles, and nobody else.
     *
     * @return this page
     */
    public SluicePage roles(String... roles) {
        access = new PageAccess(Set.of(roles), false);
        return this;
    }

    /**
     * Admits everybody who can reach the page. They see the names of clients, their limits and the number of their
     * calls.
     *
     * @return this page
     */
    public SluicePage open() {
        access = PageAccess.OPEN;
        return this;
    }

    /**
     * Admits users to whom the container gives one of these roles, and lets them give clients more calls and reset the
     * clients' use. The history records their names. By default nobody may make changes.
     *
     * @return this page
     */
    public SluicePage changeRoles(String... roles) {
        changes = new PageAccess(Set.of(roles), false);
        return this;
    }

    /**
     * Lets everybody who can reach the page read it, give clients more calls, and reset the clients' use. Use this for
     * a page that is guarded in another way.
     *
     * @return this page
     */
    public SluicePage openForChanges() {
        changes = PageAccess.OPEN;
        return this;
    }

    /**
     * Prepares the page, and begins to collect figures.
     *
     * @throws ServletException if an init-param is wrong, or if there is not exactly one limiter to show
     */
    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        access = PageParameters.access(config, access);
        changes = PageParameters.changes(config, changes);
        Sluice shown = PageParameters.limiter(config, sluice);
        sluice = shown;
        if (access.isClosed() && changes.isClosed()) {
            LOG.warn(
                    "The page for operators (servlet {}) is closed: nobody may read it. To admit readers, set the"
                            + " init-param roles, or open=true, or call roles(...) or open().",
                    config.getServletName());
        }
        answers = new PageAnswers(shown);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean mayChange = changes.admits(request::isUserInRole);
        PageAnswer answer =
                mayChange || access.admits(request::isUserInRole) ? answer(request, mayChange) : PageAnswer.FORBIDDEN;
        if (answer.isStream()) {
            answer = request.isAsyncSupported() ? listen(request, response, answer) : PageAnswer.NO_STREAM;
        }
        if (!answer.isStream()) {
            ServletEvents.writeHead(answer, response);
            if (answer.body().length > 0) {
                response.setContentLength(answer.body().length);
                response.getOutputStream().write(answer.body());
            }
        }
    }

    private PageAnswers answers() {
        return Objects.requireNonNull(answers, "the container must call init first");
    }

    private PageAnswer answer(HttpServletRequest request, boolean mayChange) {
        return request.getPathInfo() == null && request.getHttpServletMapping().getMappingMatch() != MappingMatch.PATH
                ? PageAnswer.text(404, "Map the page below a prefix, such as /_sluice/*.\n")
                : answers().answer(new ServletPageRequest(request, mayChange));
    }

    /** Begins the stream if there is room for it. Returns the answer that has begun, or another answer to write. */
    private PageAnswer listen(HttpServletRequest request, HttpServletResponse response, PageAnswer events) {
        return answers().listen(new ServletEvents(request, response, events)) ? events : PageAnswer.TOO_MANY;
    }

    /** Ends the event streams and the sampling; the limiter stays open. */
    @Override
    public void destroy() {
        if (answers != null) {
            answers.close();
        }
    }

    /** The number of readers of events now. For tests: nothing else shows that disconnected readers are forgotten. */
    int listeners() {
        return answers == null ? 0 : answers.listeners();
    }
}

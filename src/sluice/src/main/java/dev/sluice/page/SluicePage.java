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
 * A page for operators. It shows which callers are refused, which limits refuse them, and how many calls remain. Map it
 * to any prefix, and enable async support. By default, nobody can read it. Call {@link #roles} to admit users with
 * certain roles, or {@link #open} to admit everybody who can reach the page. Users with a role from {@link
 * #changeRoles} can also give clients more calls and reset the clients' usage.
 *
 * <pre>{@code
 * ServletRegistration.Dynamic page = context.addServlet("limits", SluicePage.of(limiter).roles("operator").changeRoles("admin"));
 * page.addMapping("/_sluice/*");
 * page.setAsyncSupported(true);
 * }</pre>
 *
 * <p>In {@code web.xml}, use this class as the servlet class, with the init-params {@code roles}, {@code open} or
 * {@code changeRoles}. The page then shows the limiter of the {@code RateLimitFilter} in the same application. With
 * {@code load-on-startup}, the page starts to collect figures when the application starts.
 *
 * <p>The filter does not limit requests for the page. Arguments must not be {@code null}. Thread-safe once the
 * container has called {@link #init}.
 */
public final class SluicePage extends HttpServlet {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(SluicePage.class);

    private transient @Nullable Sluice sluice;
    private transient PageAccess access = PageAccess.CLOSED;
    private transient PageAccess changes = PageAccess.CLOSED;
    /** The responses of the page. Not {@code null} while the servlet is running. */
    private transient @Nullable PageAnswers answers;

    /**
     * Creates a page for {@code web.xml}. It shows the limiter of the {@code RateLimitFilter} in the same application.
     */
    public SluicePage() {}

    private SluicePage(Sluice sluice) {
        this.sluice = sluice;
    }

    /** Creates a page for this limiter. Nobody can read it yet. */
    public static SluicePage of(Sluice sluice) {
        return new SluicePage(sluice);
    }

    /**
     * Admits only users to whom the container assigns one of these roles.
     *
     * @return this page
     */
    public SluicePage roles(String... roles) {
        access = new PageAccess(Set.of(roles), false);
        return this;
    }

    /**
     * Admits everybody who can reach the page. Readers see the clients' names, limits and numbers of calls.
     *
     * @return this page
     */
    public SluicePage open() {
        access = PageAccess.OPEN;
        return this;
    }

    /**
     * Admits users to whom the container assigns one of these roles. These users can also give clients more calls and
     * reset the clients' usage. The history records their names. By default, nobody can make changes.
     *
     * @return this page
     */
    public SluicePage changeRoles(String... roles) {
        changes = new PageAccess(Set.of(roles), false);
        return this;
    }

    /**
     * Lets everybody who can reach the page read it, give clients more calls, and reset the clients' usage. Call this
     * method only if the page is protected by other means.
     *
     * @return this page
     */
    public SluicePage openForChanges() {
        changes = PageAccess.OPEN;
        return this;
    }

    /**
     * Prepares the page, and starts to collect figures.
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
                    "The page for operators (servlet {}) is closed: nobody can read it. To admit readers, set the"
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

    /**
     * Starts the stream unless the maximum number of readers has been reached. Returns either the response of the
     * started stream, or a response that must still be written.
     */
    private PageAnswer listen(HttpServletRequest request, HttpServletResponse response, PageAnswer events) {
        return answers().listen(new ServletEvents(request, response, events)) ? events : PageAnswer.TOO_MANY;
    }

    /** Ends the event streams and the sampling. The limiter stays open. */
    @Override
    public void destroy() {
        if (answers != null) {
            answers.close();
        }
    }

    /** Returns the current number of event readers. Tests use it to check that disconnected readers are forgotten. */
    int listeners() {
        return answers == null ? 0 : answers.listeners();
    }
}

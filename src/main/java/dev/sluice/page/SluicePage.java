package dev.sluice.page;

import dev.sluice.config.Sluice;
import dev.sluice.page.PageData.StandingsData;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A page for operators: who is refused, by which limit, and how much is left. Map it where you like, such as at {@code
 * /_sluice/*}, with {@code async-supported}. Nobody may read it by default. {@link #roles} admits users with a
 * role, {@link #open} everybody who reaches it.
 */
public final class SluicePage extends HttpServlet {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(SluicePage.class);

    /**
     * Allows nothing from other servers, nothing inline and no frames, and forbids scripts to make markup of strings.
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";

    private final transient Map<String, PageFile> files = PageFile.all();
    private transient @Nullable Sluice sluice;
    private transient PageAccess access = PageAccess.CLOSED;
    private transient @Nullable Running parts;

    /** For {@code web.xml}: shows the limiter of the {@code RateLimitFilter} of the same application. */
    public SluicePage() {}

    private SluicePage(Sluice sluice) {
        this.sluice = sluice;
    }

    /** Shows this limiter; nobody may read it yet. */
    public static SluicePage of(Sluice sluice) {
        return new SluicePage(sluice);
    }

    /** Admits users who have one of these roles, by the container, and nobody else. */
    public SluicePage roles(String... roles) {
        access = new PageAccess(Set.of(roles), false);
        return this;
    }

    /** Admits everybody who reaches it to names of clients, their limits and how much they call. */
    public SluicePage open() {
        access = PageAccess.OPEN;
        return this;
    }

    /** The parts that exist while the servlet runs. */
    private record Running(Sampler sampler, EventStreams streams) {}

    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        access = PageParameters.access(config, access);
        Sluice shown = PageParameters.limiter(config, sluice);
        sluice = shown;
        if (access.isClosed()) {
            LOG.warn(
                    "The page for operators, servlet {}, is closed: nobody may read it. Give it the init-param roles, or "
                            + "open=true, or call roles(...) or open()",
                    config.getServletName());
        }
        Sampler sampler = new Sampler(shown);
        parts = new Running(sampler, new EventStreams(sampler).start());
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        addSecurityHeaders(response);
        if (!access.admits(request)) {
            say(response, HttpServletResponse.SC_FORBIDDEN, "You may not read this page.\n");
        } else if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            response.setHeader("Allow", "GET, HEAD");
            say(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "This page can only be read.\n");
        } else {
            answer(request, response, request.getPathInfo());
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response, @Nullable String path)
            throws IOException {
        if (path == null && request.getHttpServletMapping().getMappingMatch() != MappingMatch.PATH) {
            say(response, HttpServletResponse.SC_NOT_FOUND, "Map the page below a prefix, such as /_sluice/*.\n");
            return;
        }
        if (path == null) {
            response.setStatus(HttpServletResponse.SC_FOUND);
            String own = request.getServletPath();
            response.setHeader("Location", "./" + own.substring(own.lastIndexOf('/') + 1) + "/");
            return;
        }
        Running running = Objects.requireNonNull(parts, "init comes first");
        switch (path) {
            case "/data.json" -> send(response, running.streams.everything());
            case "/client.json" -> sendClient(request, response, running);
            case "/events" -> listen(request, response, running);
            default -> sendFile(request, response, path.equals("/") ? "index.html" : path.substring(1));
        }
    }

    private void sendFile(HttpServletRequest request, HttpServletResponse response, String name) throws IOException {
        PageFile file = files.get(name);
        if (file == null) {
            say(response, HttpServletResponse.SC_NOT_FOUND, "There is no such file of this page.\n");
        } else {
            file.send(request, response);
        }
    }

    private static void sendClient(HttpServletRequest request, HttpServletResponse response, Running running)
            throws IOException {
        String id = request.getParameter("id");
        StandingsData standings =
                id != null && id.matches("\\d{1,9}") ? running.sampler.standings(Integer.parseInt(id)) : null;
        if (standings == null) {
            say(response, HttpServletResponse.SC_NOT_FOUND, "There is no such client; data.json has their ids.\n");
        } else {
            send(response, JsonText.of(standings));
        }
    }

    private static void listen(HttpServletRequest request, HttpServletResponse response, Running running)
            throws IOException {
        if (!request.getMethod().equals("GET") || !request.isAsyncSupported()) {
            say(
                    response,
                    HttpServletResponse.SC_NOT_IMPLEMENTED,
                    "Events need GET, and async-supported of the servlet "
                            + "and all filters before it; read data.json instead.\n");
        } else if (!running.streams.add(request, response)) {
            response.setHeader("Retry-After", "5");
            say(
                    response,
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    "Too many listen already; read data.json instead.\n");
        }
    }

    private static void addSecurityHeaders(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cache-Control", "no-store");
    }

    private static void send(HttpServletResponse response, byte[] json) throws IOException {
        response.setContentType("application/json");
        response.setContentLength(json.length);
        response.getOutputStream().write(json);
    }

    private static void say(HttpServletResponse response, int status, String text) throws IOException {
        response.setStatus(status);
        response.setContentType("text/plain; charset=utf-8");
        response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Ends the streams and the sampling; the limiter stays open. */
    @Override
    public void destroy() {
        if (parts != null) {
            parts.streams.close();
        }
    }

    /** The number of readers of events now. Only tests ask: nothing else shows that those who left are forgotten. */
    int listeners() {
        return parts == null ? 0 : parts.streams.count();
    }
}

package dev.sluice.bypass;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An application that serves {@code /login}, {@code /api/*} and {@code /orgs/{org}/*} in every way that applications
 * do: by the container's mapping and, where nothing is mapped, by reading the path itself. It reports what each of
 * these ways would serve.
 */
final class ServletApplication {

    /** Where the files are below {@code target}, which is the root of the application. */
    private static final String FILES = "/test-classes/bypass/files";

    private ServletApplication() {}

    static void addTo(ServletContext context) {
        add(context, "mapped-login", "/login", (request, response) -> Served.as("login", response));
        add(context, "mapped-api", "/api/*", (request, response) -> Served.as("api", response));
        add(context, "mapped-orgs", "/orgs/*", ServletApplication::serveOrg);
        add(context, "mapped-files", "/files/*", ServletApplication::serveFile);
        add(context, "front-controller", "/", ServletApplication::serveByPath);
        add(
                context,
                "forwards",
                "/forward",
                (request, response) -> request.getRequestDispatcher("/login").forward(request, response));
        add(context, "dispatches", "/async", (request, response) -> {
            AsyncContext async = request.startAsync();
            async.dispatch("/login");
        });
    }

    /** What a servlet does. */
    private interface Service {
        void serve(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException;
    }

    private static void add(ServletContext context, String name, String mapping, Service service) {
        ServletRegistration.Dynamic servlet = context.addServlet(name, new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                Served.asOf(request, response);
                service.serve(request, response);
            }
        });
        servlet.setAsyncSupported(true);
        servlet.addMapping(mapping);
    }

    private static void serveOrg(HttpServletRequest request, HttpServletResponse response) {
        String info = request.getPathInfo();
        if (info != null && info.length() > 1) {
            Served.asOrg(info.substring(1).split("/", -1)[0], response);
        }
    }

    /** Reads the path as the container does to find a file. */
    private static void serveFile(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String info = request.getPathInfo();
        URL found = info == null ? null : request.getServletContext().getResource(FILES + info);
        if (found != null && info.contains("secret")) {
            Served.asFile(URI.create(found.toString()), response);
        }
    }

    private static void serveByPath(HttpServletRequest request, HttpServletResponse response) {
        Set<String> paths =
                new TreeSet<>(List.of(segmentBySegment(request), byContainer(request), normalised(request)));
        for (String path : paths) {
            if (path.equals("/login")) {
                Served.as("login", response);
            }
            if (path.startsWith("/api/")) {
                Served.as("api", response);
            }
            if (path.startsWith("/orgs/")) {
                Served.asOrg(path.substring("/orgs/".length()).split("/", -1)[0], response);
            }
        }
    }

    /**
     * Reads the path as Spring's path patterns do. They take segments as they were sent, without parameters, and decode
     * each one separately.
     */
    private static String segmentBySegment(HttpServletRequest request) {
        StringBuilder path = new StringBuilder();
        for (String segment : withinContext(request).split("/", -1)) {
            String name = segment.split(";", -1)[0];
            if (!name.isEmpty()) {
                path.append('/').append(decode(name));
            }
        }
        return path.toString();
    }

    /** Reads the path as frameworks do that trust the container to have normalised it. */
    private static String byContainer(HttpServletRequest request) {
        try {
            String info = request.getPathInfo();
            return request.getServletPath() + (info == null ? "" : info);
        } catch (RuntimeException e) {
            return "";
        }
    }

    /** Reads the path as frameworks do that decode the whole path and then normalise it. */
    private static String normalised(HttpServletRequest request) {
        String decoded = decode(withinContext(request).replaceAll(";[^/]*", "")).replace('\\', '/');
        try {
            return new URI(null, null, decoded.replaceAll("/+", "/"), null)
                    .normalize()
                    .getPath();
        } catch (URISyntaxException e) {
            return "";
        }
    }

    private static String withinContext(HttpServletRequest request) {
        try {
            String context = request.getContextPath();
            String sent = request.getRequestURI();
            return sent.startsWith(context) ? sent.substring(context.length()) : "";
        } catch (RuntimeException e) {
            return ""; // Tomcat does not find its context
        }
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2b"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}

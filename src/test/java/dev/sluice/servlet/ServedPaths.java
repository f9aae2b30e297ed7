package dev.sluice.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * An application that serves {@code /login} and {@code /api/*} in every way that applications do: by the container's
 * mapping and, where nothing is mapped, by reading the path itself. It says in a header which of the two it took a call for.
 */
final class ServedPaths {

    static final String SERVED = "served";

    private ServedPaths() {}

    static void addTo(ServletContext context) {
        add(context, "mapped-login", "/login", request -> "login");
        add(context, "mapped-api", "/api/*", request -> "api");
        add(context, "front-controller", "/", ServedPaths::routed);
    }

    private static void add(
            ServletContext context, String name, String mapping, Function<HttpServletRequest, String> routing) {
        context.addServlet(name, new HttpServlet() {
                    @Override
                    protected void service(HttpServletRequest request, HttpServletResponse response) {
                        response.setHeader(SERVED, routing.apply(request));
                    }
                })
                .addMapping(mapping);
    }

    private static String routed(HttpServletRequest request) {
        for (String path : new String[] {segmentBySegment(request), byContainer(request), normalised(request)}) {
            if (path.equals("/login")) {
                return "login";
            }
            if (path.startsWith("/api/")) {
                return "api";
            }
        }
        return "nothing";
    }

    /** As Spring's path patterns read it: segments as they were sent, without parameters, each decoded by itself. */
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

    /** As frameworks do that trust the container to have put the path in order. */
    private static String byContainer(HttpServletRequest request) {
        try {
            String info = request.getPathInfo();
            return request.getServletPath() + (info == null ? "" : info);
        } catch (RuntimeException e) {
            return "";
        }
    }

    /** As frameworks do that decode the whole path, then put it in order. */
    private static String normalised(HttpServletRequest request) {
        String decoded = decode(withinContext(request).replaceAll(";[^/]*", "")).replace('\\', '/');
        try {
            return new URI(null, null, decoded.replaceAll("/+", "/"), null)
                    .normalize()
                    .getPath();
        } catch (java.net.URISyntaxException e) {
            return "";
        }
    }

    private static String withinContext(HttpServletRequest request) {
        String context = request.getContextPath();
        String sent = request.getRequestURI();
        return sent.startsWith(context) ? sent.substring(context.length()) : sent;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2b"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}

package dev.sluice.internal.servlet.contract;

import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;

/** A small application for tests of filters, with servlets that treat requests in typical ways. */
public final class SmallApplication {

    private SmallApplication() {}

    /** The application at the root, with one filter for all dispatches. */
    public static Application behind(RateLimitFilter filter) {
        return at("", filter);
    }

    public static Application at(String contextPath, RateLimitFilter filter) {
        return Application.at(contextPath, (classes, context) -> {
            addFilter(context, "limits", filter, "/*");
            addServlets(context);
        });
    }

    public static void addFilter(ServletContext context, String name, Filter filter, String... patterns) {
        map(context.addFilter(name, filter), patterns);
    }

    /** Counts the threads of the server within or behind the filters that are added later. */
    static void countThreads(ServletContext context, AtomicInteger threads) {
        addFilter(
                context,
                "front",
                (request, response, chain) -> {
                    threads.incrementAndGet();
                    try {
                        chain.doFilter(request, response);
                    } finally {
                        threads.decrementAndGet();
                    }
                },
                "/*");
    }

    public static void map(FilterRegistration.Dynamic registration, String... patterns) {
        registration.setAsyncSupported(true);
        for (String pattern : patterns) {
            registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, pattern);
        }
    }

    public static void addServlets(ServletContext context) {
        addServlet(
                context, "/hello", (request, response) -> response.getWriter().print("hello"));
        addServlet(
                context,
                "/forward",
                (request, response) -> request.getRequestDispatcher("/hello").forward(request, response));
        addServlet(context, "/include", (request, response) -> {
            request.getRequestDispatcher("/hello").include(request, response);
            request.getRequestDispatcher("/hello").include(request, response);
        });
        addServlet(context, "/missing", (request, response) -> response.sendError(404));
        addServlet(context, "/broken", (request, response) -> {
            throw new IllegalStateException("broken by intent");
        });
        addServlet(
                context,
                "/error",
                (request, response) -> response.getWriter()
                        .print("sorry for " + request.getAttribute("jakarta.servlet.error.exception")));
        addServlet(context, "/redispatch", (request, response) -> {
            AsyncContext async = request.startAsync();
            async.start(() -> async.dispatch("/hello"));
        });
        addServlet(context, "/later", (request, response) -> {
            AsyncContext async = request.startAsync();
            async.start(() -> {
                try {
                    async.getResponse().getWriter().print("at last");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    async.complete();
                }
            });
        });
        addServlet(context, "/form", (request, response) -> response.getWriter().print(request.getParameter("colour")));
    }

    public static void addServlet(ServletContext context, String path, Handling handling) {
        ServletRegistration.Dynamic registration = context.addServlet(path, new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                handling.serve(request, response);
            }
        });
        registration.setAsyncSupported(true);
        registration.addMapping(path);
    }

    @FunctionalInterface
    public interface Handling {
        void serve(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }
}

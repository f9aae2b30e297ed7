package dev.sluice.benchmarks.http;

import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.ee11.servlets.DoSFilter;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A server that runs in its own JVM, with one endpoint and one filter that limits callers by address. The server prints
 * its port, and exits when its standard input ends. With either filter, a response contains three headers about the
 * limit, because the servlet adds the headers that the filter does not write.
 */
public final class LimitedServer {

    private static final String PLENTY = "1000000000";

    private LimitedServer() {}

    /** The filter that limits callers. */
    public enum Limiter {
        SLUICE,
        /** The filter that comes with the server. */
        OWN
    }

    /** The kind of server. */
    public enum Kind {
        TOMCAT,
        JETTY
    }

    /** Arguments: a {@link Kind}, and a {@link Limiter}. */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("org.apache").setLevel(Level.WARNING);
        Limiter limiter = Limiter.valueOf(args[1]);
        int port = Kind.valueOf(args[0]) == Kind.TOMCAT ? tomcat(limiter) : jetty(limiter);
        System.out.println("port " + port);
        while (System.in.read() >= 0) {
            // waits until the parent process closes the standard input
        }
        System.exit(0);
    }

    private static int tomcat(Limiter limiter) throws Exception {
        Path folder = Files.createTempDirectory("tomcat");
        folder.toFile().deleteOnExit();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = tomcat.addContext("", folder.toString());
        boolean sluice = limiter == Limiter.SLUICE;
        Tomcat.addServlet(context, "application", new Application(sluice ? 0 : 1))
                .addMapping("/*");
        FilterDef filter = new FilterDef();
        filter.setFilterName("limits");
        filter.setFilter(sluice ? sluice() : new org.apache.catalina.filters.RateLimitFilter());
        if (!sluice) {
            Map.of("bucketDuration", "10", "bucketRequests", PLENTY, "exposeHeaders", "true")
                    .forEach(filter::addInitParameter);
        }
        context.addFilterDef(filter);
        FilterMap mapping = new FilterMap();
        mapping.setFilterName("limits");
        mapping.addURLPattern("/*");
        context.addFilterMap(mapping);
        tomcat.start();
        return tomcat.getConnector().getLocalPort();
    }

    private static int jetty(Limiter limiter) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.setContextPath("/");
        boolean sluice = limiter == Limiter.SLUICE;
        FilterHolder filter = new FilterHolder(sluice ? sluice() : new DoSFilter());
        if (!sluice) {
            // Jetty stores the time of each call in the last second, so the limit must be only just too high to reach
            filter.setInitParameters(Map.of("maxRequestsPerSec", "1000000", "trackSessions", "false"));
        }
        context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new Application(sluice ? 0 : 3)), "/*");
        server.setHandler(context);
        server.start();
        return connector.getLocalPort();
    }

    private static Filter sluice() throws IOException {
        Path file = Files.createTempFile("limits", ".yml");
        file.toFile().deleteOnExit();
        Files.writeString(file, """
            - id: all
              pathPattern: /**
              per: [ ip ]
              tiers: [ { period: 1d, threshold: %s } ]
            """.formatted(PLENTY));
        return new RateLimitFilter(Sluice.open(file.toString()));
    }

    /** Sends the response, and adds the headers about the limit that the filter does not write. */
    private static final class Application extends HttpServlet {

        private static final long serialVersionUID = 1;
        private static final byte[] ANSWER = "hello\n".getBytes(StandardCharsets.US_ASCII);

        private static final List<String> HEADERS =
                List.of("x-ratelimit-reset", "x-ratelimit-limit", "x-ratelimit-remaining");

        private final int headers;

        private Application(int headers) {
            this.headers = headers;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HEADERS.subList(0, headers).forEach(name -> response.setHeader(name, "10"));
            response.setContentType("text/plain");
            response.setContentLength(ANSWER.length);
            response.getOutputStream().write(ANSWER);
        }
    }
}

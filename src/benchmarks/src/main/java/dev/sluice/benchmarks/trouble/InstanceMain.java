package dev.sluice.benchmarks.trouble;

import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/**
 * The main class of an instance: a Tomcat server with the filter in front of a servlet that responds with status 200.
 * The instance reads commands from its parent process, one per line, and exits when the parent process ends.
 */
final class InstanceMain {

    /** Adds a duration to this instance's clock: {@code clock PT25H}. */
    static final String CLOCK = "clock ";
    /** Prints the bytes of heap in use and the number of threads. */
    static final String FIGURES = "figures";
    /**
     * Responds to some calls with status 500 and to others with status 429, regardless of the limits. The same command
     * stops this again.
     */
    static final String SABOTAGE = "sabotage";

    private volatile Duration clockAhead = Duration.ZERO;
    private volatile boolean sabotages;

    private InstanceMain() {}

    /** Arguments: the limits file and the store URI. Prints the port. */
    public static void main(String[] arguments) throws IOException, LifecycleException {
        new InstanceMain().serve(arguments[0], arguments[1]);
        Runtime.getRuntime().halt(0);
    }

    private void serve(String limits, String store) throws IOException, LifecycleException {
        Sluice sluice = Sluice.builder()
                .config(limits)
                .store(store)
                .clock(new MachineClock())
                .open();
        System.out.println(listen(new RateLimitFilter(sluice)));
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            if (order.startsWith(CLOCK)) {
                clockAhead = clockAhead.plus(Duration.parse(order.substring(CLOCK.length())));
            } else if (order.equals(SABOTAGE)) {
                sabotages = !sabotages;
            } else if (order.equals(FIGURES)) {
                System.gc();
                System.out.println(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " "
                                + ManagementFactory.getThreadMXBean().getThreadCount());
            }
        }
    }

    /**
     * Replaces the machine's clock, so that commands can change it. It compares as equal to the system clock, because
     * the limiter would otherwise follow the steps, as it does with a clock that an application provides.
     */
    private final class MachineClock implements InstantSource {

        @Override
        public Instant instant() {
            return Instant.now().plus(clockAhead);
        }

        @Override
        public boolean equals(Object other) {
            return InstantSource.system().equals(other);
        }

        @Override
        public int hashCode() {
            return InstantSource.system().hashCode();
        }
    }

    private int listen(Filter limits) throws IOException, LifecycleException {
        Tomcat tomcat = new Tomcat();
        Path directory = Files.createTempDirectory("sluice-trouble");
        directory.toFile().deleteOnExit();
        tomcat.setBaseDir(directory.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("acceptCount", "4000"); // calls to a paused instance wait until it resumes
        connector.setProperty("minSpareThreads", "200"); // all from the start, so any increase has another cause
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("keepAliveTimeout", "-1");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", directory.toString());
        add(context, "sabotage", new Saboteur());
        add(context, "limits", limits);
        Tomcat.addServlet(context, "ok", new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) {
                response.setStatus(HttpServletResponse.SC_OK);
            }
        });
        context.addServletMapping("/", "ok");
        tomcat.start();
        return connector.getLocalPort();
    }

    private static void add(Context context, String name, Filter filter) {
        FilterDef definition = new FilterDef();
        definition.setFilterName(name);
        definition.setFilter(filter);
        context.addFilterDef(definition);
        FilterMap mapping = new FilterMap();
        mapping.setFilterName(name);
        mapping.addURLPattern("/*");
        context.addFilterMap(mapping);
    }

    /** Sends wrong responses, to verify that the ledger detects them. */
    private final class Saboteur implements Filter {

        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            int turn = sabotages ? calls.getAndIncrement() % 10 : -1;
            if (turn == 0 || turn == 5) {
                ((HttpServletResponse) response).setStatus(turn == 0 ? 500 : 429);
            } else {
                chain.doFilter(request, response);
            }
        }
    }
}

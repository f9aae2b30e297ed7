package dev.sluice.benchmarks;

import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.ee11.servlets.DoSFilter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Compares our filter with Tomcat's own {@link org.apache.catalina.filters.RateLimitFilter}. Both filters report the
 * number of remaining permits to the caller.
 *
 * <p>The comparison is fair. Both filters receive the same requests from the same 10,000 addresses, and the address of
 * each request is a new string. Both count by address, in windows of ten seconds and with the same threshold. Both
 * write to the same kind of response, on which writes cost almost nothing. Like Tomcat's filter,
 * {@code sluiceByAddress} has one limit by address for all paths. {@code sluice} has 100 endpoints, and
 * {@code sluiceOfTen} has ten. These two variants find the endpoint by method and path, and look for a tenant's name in
 * a header before falling back to the address. All three variants do more than Tomcat's filter: they check that the
 * request has not already been counted, and they write three headers instead of two. One of these headers depends on
 * the clock. {@code tomcatSilent} is Tomcat's filter with its default settings. In this case, it writes no headers.
 *
 * <pre>java -cp target/benchmarks.jar org.openjdk.jmh.Main FilterBenchmark -prof gc</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FilterBenchmark {

    private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache.catalina.filters");

    @Param({"ZIPF"})
    Spread spread;

    private CountingRateLimiter limiter;
    private CountingRateLimiter ofTen;
    private CountingRateLimiter byAddress;
    private Filter sluice;
    private Filter sluiceOfTen;
    private Filter sluiceByAddress;
    private Filter tomcat;
    private Filter tomcatSilent;
    private Filter jetty;

    @Setup
    public void open() throws ServletException {
        TOMCAT_LOG.setLevel(Level.WARNING);
        limiter = Endpoints.ofService(100).open();
        sluice = new RateLimitFilter(limiter);
        ofTen = Endpoints.tenOfService().open();
        sluiceOfTen = new RateLimitFilter(ofTen);
        byAddress = Endpoints.ofAddresses().open();
        sluiceByAddress = new RateLimitFilter(byAddress);
        tomcat = tomcat("true");
        tomcatSilent = tomcat("false");
        jetty = jetty();
    }

    @TearDown
    public void close() {
        limiter.close();
        ofTen.close();
        byAddress.close();
        tomcat.destroy();
        tomcatSilent.destroy();
        jetty.destroy();
    }

    /** Tomcat's filter, configured according to its documentation, with the same threshold per window. */
    private static Filter tomcat(String exposeHeaders) throws ServletException {
        Filter filter = new org.apache.catalina.filters.RateLimitFilter();
        filter.init(config(Map.of(
                "bucketDuration", "10",
                "bucketRequests", Long.toString(Endpoints.PLENTY),
                "exposeHeaders", exposeHeaders)));
        return filter;
    }

    /**
     * Jetty's filter, which also counts by address and does not use sessions. It stores the time of each call in the
     * last second, so its limit cannot be set too high to reach. The limit is high enough if all callers make the same
     * number of calls.
     */
    private static Filter jetty() throws ServletException {
        Filter filter = new DoSFilter();
        filter.init(config(Map.of("maxRequestsPerSec", "1000", "trackSessions", "false")));
        return filter;
    }

    private static FilterConfig config(Map<String, String> params) {
        ServletContext context = ServletContext.class.cast(Proxy.newProxyInstance(
                ServletContext.class.getClassLoader(), new Class<?>[] {ServletContext.class}, (proxy, method, args) -> null));
        return FilterConfig.class.cast(Proxy.newProxyInstance(
                FilterConfig.class.getClassLoader(),
                new Class<?>[] {FilterConfig.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getFilterName" -> "limits";
                    case "getServletContext" -> context;
                    case "getInitParameterNames" -> Collections.enumeration(List.copyOf(params.keySet()));
                    case "getInitParameter" -> params.get((String) args[0]);
                    default -> throw new UnsupportedOperationException(method.toString());
                }));
    }

    /** The requests of one thread. */
    @State(Scope.Thread)
    public static class Requests {
        private Exchange exchange;
        private long served;
        private final FilterChain application = (request, response) -> served++;

        @Setup
        public void begin(FilterBenchmark benchmark) {
            exchange = new Exchange(Caller.byAddress(Tenants.addresses(benchmark.spread), Endpoints.someServicePaths()));
        }

        /**
         * Sends a request through the filter, and returns a digest of its effects. Fails if the request was refused or
         * has the wrong number of headers.
         */
        private long pass(Filter filter, int headers) throws IOException, ServletException {
            long before = served;
            exchange.next();
            filter.doFilter(exchange.request, exchange.response, application);
            if (served != before + 1 || exchange.response.headers() != headers) {
                throw new IllegalStateException("refused, or " + exchange.response.headers() + " headers");
            }
            return served + exchange.response.digest();
        }
    }

    @Benchmark
    public long sluice(Requests requests) throws IOException, ServletException {
        return requests.pass(sluice, 3);
    }

    @Benchmark
    public long sluiceOfTen(Requests requests) throws IOException, ServletException {
        return requests.pass(sluiceOfTen, 3);
    }

    @Benchmark
    public long sluiceByAddress(Requests requests) throws IOException, ServletException {
        return requests.pass(sluiceByAddress, 3);
    }

    @Benchmark
    public long tomcat(Requests requests) throws IOException, ServletException {
        return requests.pass(tomcat, 2);
    }

    @Benchmark
    public long tomcatSilent(Requests requests) throws IOException, ServletException {
        return requests.pass(tomcatSilent, 0);
    }

    /**
     * Jetty's filter with its default settings. In this case, it writes no headers. The figure is valid only if all
     * callers make the same number of calls; see {@link #jetty()}.
     */
    long jetty(Requests requests) throws IOException, ServletException {
        return requests.pass(jetty, 0);
    }

    /** Only creates the requests, without passing them through a filter. Their cost is part of every other figure. */
    @Benchmark
    public String requestsAlone(Requests requests) {
        return requests.exchange.next().request.getRemoteAddr();
    }
}

package example;

import dev.sluice.metrics.SluiceMeters;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Supplier;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A shop that Prometheus can scrape at {@code /metrics}, with three callers that generate traffic. */
final class MeteredShop implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Sluice limits = Sluice.builder()
            .config("classpath:rate-limits.yml")
            .listener(new SluiceMeters(registry))
            .open();
    private final Tomcat tomcat = new Tomcat();

    MeteredShop(int port) throws Exception {
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setPort(port);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context shop = tomcat.addContext("", null);
        serve(shop, "/product/*", () -> "A product.\n");
        serve(shop, "/metrics", registry::scrape);
        FilterDef filter = new FilterDef();
        filter.setFilterName("rate-limits");
        filter.setFilter(new RateLimitFilter(limits));
        filter.setAsyncSupported("true");
        FilterMap everything = new FilterMap();
        everything.setFilterName("rate-limits");
        everything.addURLPattern("/*");
        for (DispatcherType type : List.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR)) {
            everything.setDispatcher(type.name()); // adds the type
        }
        shop.addFilterDef(filter);
        shop.addFilterMap(everything);
        tomcat.start();
    }

    private static void serve(Context shop, String path, Supplier<String> text) {
        Tomcat.addServlet(shop, path, new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.setContentType("text/plain;charset=utf-8");
                response.getWriter().print(text.get());
            }
        });
        shop.addServletMappingDecoded(path, path);
    }

    /** Requests this path as this tenant; returns the body. */
    String get(String path, String tenant) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri).header("X-Org-Id", tenant).build();
        return CLIENT.send(request, BodyHandlers.ofString()).body();
    }

    @Override
    public void close() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        limits.close();
    }

    public static void main(String[] arguments) throws Exception {
        try (MeteredShop shop = new MeteredShop(8080)) {
            System.out.println("serving http://127.0.0.1:8080/metrics; Ctrl+C ends it");
            List<String> tenants = List.of("acme", "acme", "acme", "acme", "globex", "initech");
            for (int call = 0; ; call++) {
                shop.get(
                        "/product/1",
                        tenants.get(call % tenants.size())); // acme calls more often than its limit allows
                Thread.sleep(50);
            }
        }
    }
}

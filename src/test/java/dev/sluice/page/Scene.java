package dev.sluice.page;

import dev.sluice.TestCall;
import dev.sluice.config.Sluice;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import dev.sluice.limits.ConfigSource;
import dev.sluice.limits.OverrideNote;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.contract.Application;
import dev.sluice.servlet.contract.SmallApplication;
import dev.sluice.servlet.contract.WebServer;
import dev.sluice.servlet.jetty.JettyServer;
import jakarta.servlet.ServletRegistration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A real server with the filter and the page. Its clock begins minutes ago: the calls until now are played in a moment,
 * and what follows happens in real time.
 */
final class Scene implements AutoCloseable {

    private static final String LIMITS = """
            reload: 100ms
            trustedProxies: [ 127.0.0.0/8 ]
            endpoints:
              - id: get-product
                methods: [ GET ]
                pathPattern: /product/*
                tiers:
                  - { period: 10s, threshold: 200 }
                  - { period: 1h, threshold: 50000 }
              - id: create-order
                methods: [ POST ]
                pathPattern: /orders
                tiers: [ { period: 1m, threshold: 240, algorithm: token-bucket, burst: 60 } ]
              - id: login
                methods: [ POST ]
                pathPattern: /login
                per: [ ip ]
                tiers: [ { period: 1m, threshold: 10 } ]
              - id: search
                pathPattern: /search
                mode: dry-run
                tiers: [ { period: 10s, threshold: 100 } ]
            clients:
              - { tenant: umbrella, multiply: 2 }
            """;

    private static final long STEP_MILLIS = 500;
    private static final long HOUR_MILLIS = 3_600_000;

    private final AtomicLong offset = new AtomicLong();
    private final Random random = new Random(7);
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path file;
    private final Sluice sluice;
    private final WebServer server;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    /** Begins so many seconds ago. */
    Scene(Path folder, long seconds) throws Exception {
        offset.set(-seconds * 1000);
        file = Files.writeString(folder.resolve("rate-limits.yml"), LIMITS);
        sluice = Sluice.builder()
                .config(new NamedFile(file))
                .server("shop-7f9c4")
                .overrideSource(version -> CompletableFuture.completedFuture(
                        version.isEmpty() ? Optional.of(setOutside()) : Optional.empty()))
                .clock(new Clock())
                .open();
        server = JettyServer.start(Application.at("", (classes, context) -> {
            SmallApplication.addFilter(context, "limits", new RateLimitFilter(sluice), "/*");
            SmallApplication.addServlet(
                    context, "/*", (request, response) -> response.getWriter().print("ok"));
            ServletRegistration.Dynamic page =
                    context.addServlet("page", SluicePage.of(sluice).open());
            page.setAsyncSupported(true);
            page.setLoadOnStartup(1);
            page.addMapping("/_sluice/*");
        }));
    }

    /** An override that was set an hour ago, with a reason that contains markup. */
    private static Overrides setOutside() {
        long now = System.currentTimeMillis();
        ClientOverride more = new ClientOverride("tenant", "globex", "create-order", "1200/1m");
        ClientOverride less = new ClientOverride("tenant", "hooli", "get-product", "50/10s");
        return new Overrides(
                "1",
                List.of(more, less),
                Map.of(
                        more,
                        new OverrideNote(
                                now - HOUR_MILLIS, now + 3 * HOUR_MILLIS, "eve@ops-1", "autumn sale until the evening"),
                        less,
                        new OverrideNote(now - 20 * HOUR_MILLIS, 0, "<img src=x onerror=alert(1)>", "")));
    }

    /** A file of a shop, wherever it is. */
    private record NamedFile(Path file) implements ConfigSource {

        @Override
        public String name() {
            return "/etc/shop/rate-limits.yml";
        }

        @Override
        public byte[] read() throws IOException {
            return Files.readAllBytes(file);
        }
    }

    private final class Clock implements InstantSource {
        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }

        @Override
        public long millis() {
            return System.currentTimeMillis() + offset.get();
        }
    }

    String page() {
        return "http://127.0.0.1:" + server.port() + "/_sluice/";
    }

    /** Calls as many customers make them, up to now. */
    void play() throws IOException, InterruptedException {
        for (int step = 0; offset.get() < 0; step++) {
            offset.updateAndGet(before -> Math.min(0, before + STEP_MILLIS));
            callAll(-offset.get() / 1000.0, this::decide);
            if (step % 10 == 9) {
                get("data.json");
            }
        }
    }

    void change(UnaryOperator<String> limits) throws IOException {
        Files.writeString(file, limits.apply(LIMITS));
    }

    /** A call whose names no HTTP connection could carry. */
    void decideFor(String tenant) {
        decide(TestCall.get("/product/1").of(tenant));
    }

    /** Makes calls over HTTP until the scene is closed. */
    void goOn() {
        var unused = timer.scheduleAtFixedRate(() -> callAll(0, this::send), 0, STEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The calls of one step, so many seconds before now. */
    private void callAll(double ago, Consumer<TestCall> called) {
        call(5 + 3 * Math.sin(ago / 60), TestCall.get("/product/1").of("acme"), called);
        call(ago < 420 ? 15 : 4, TestCall.get("/product/1").of("globex"), called);
        call(3 + 2 * Math.sin(ago / 25 + 2), TestCall.get("/product/1").of("initech"), called);
        call(12 + 6 * Math.cos(ago / 90), TestCall.get("/product/1").of("umbrella"), called);
        call(ago % 180 < 40 ? 6 : 0.6, TestCall.post("/orders").of("acme"), called);
        call(1.2 + Math.sin(ago / 40), TestCall.post("/orders").of("initech"), called);
        call(ago > 200 && ago < 330 ? 2 : 0.05, TestCall.post("/login").from("203.0.113.66"), called);
        call(0.03, TestCall.post("/login").from("198.51.100.7"), called);
        call(4 + 3 * Math.sin(ago / 70 + 1), TestCall.get("/search").of("hooli"), called);
        call(ago < 500 && ago > 120 ? 9 : 2, TestCall.get("/search").of("stark"), called);
    }

    private void call(double times, TestCall call, Consumer<TestCall> called) {
        long whole = (long) Math.max(0, times + random.nextGaussian() * Math.sqrt(Math.max(0, times)) * 0.3);
        long calls = whole + (random.nextDouble() < times - Math.floor(times) ? 1 : 0);
        for (long i = 0; i < calls; i++) {
            called.accept(call);
        }
    }

    private void decide(TestCall call) {
        var ticket = sluice.decide(call).ticket();
        if (ticket != null) {
            ticket.ended(200);
        }
    }

    private void send(TestCall call) {
        Map<String, String> headers = new HashMap<>(call.headers());
        headers.put("X-Forwarded-For", call.ip());
        try {
            var unused = call(call.method(), call.path(), headers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Calls a login from this address, over HTTP. */
    void logIn(String ip) throws IOException, InterruptedException {
        var unused = call("POST", "/login", Map.of("X-Forwarded-For", ip));
    }

    /** A call over HTTP; its status. */
    int call(String method, String path, Map<String, String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        headers.forEach(request::header);
        return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    String get(String name) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(HttpRequest.newBuilder(URI.create(page() + name)).build(), BodyHandlers.ofString());
        return answer.body();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        server.close();
        sluice.close();
    }
}

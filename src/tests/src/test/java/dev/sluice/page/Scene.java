package dev.sluice.page;

import dev.sluice.OverrideChange;
import dev.sluice.TestCall;
import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.SmallApplication;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.internal.servlet.jetty.JettyServer;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.limits.ConfigSource;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
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
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A real server with the filter and the page. Its clock begins minutes ago. Calls up to now are played at once, with a
 * clock that is set by hand, and later calls happen in real time.
 */
final class Scene implements AutoCloseable {

    private static final long STEP_MILLIS = 500;

    private final Play play;
    private final Clock clock;
    private final Random random = new Random(7);
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path file;
    private final Sluice sluice;
    private final WebServer server;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    /** The play of the tests, which began the given number of seconds ago. */
    Scene(Path folder, long seconds) throws Exception {
        this(folder, seconds, new PlayOfTests());
    }

    /** A play, which began the given number of seconds ago. */
    Scene(Path folder, long seconds, Play play) throws Exception {
        this(folder, seconds, play, CounterStores.MEMORY);
    }

    /** A play whose calls are counted in this store. */
    Scene(Path folder, long seconds, Play play, String store) throws Exception {
        this.play = play;
        clock = new Clock(seconds * 1000);
        file = Files.writeString(folder.resolve("rate-limits.yml"), play.limits());
        Sluice.Builder limiter = Sluice.builder()
                .config(new NamedFile(file))
                .server(Play.SERVER)
                .store(store)
                .clock(clock);
        boolean isShared = !store.equals(CounterStores.MEMORY);
        if (!isShared) { // a shared store has its own
            limiter.overrideSource(version -> CompletableFuture.completedFuture(
                    version.isEmpty() ? Optional.of(play.setOutside()) : Optional.empty()));
        }
        sluice = limiter.open();
        SluicePage page = SluicePage.of(sluice);
        server = JettyServer.start(Application.at("", (classes, context) -> {
            SmallApplication.addFilter(context, "limits", new RateLimitFilter(sluice), "/*");
            SmallApplication.addServlet(
                    context, "/*", (request, response) -> response.getWriter().print("ok"));
            ServletRegistration.Dynamic servlet =
                    context.addServlet("page", isShared ? page.openForChanges() : page.open());
            servlet.setAsyncSupported(true);
            servlet.setLoadOnStartup(1);
            servlet.addMapping("/_sluice/*");
        }));
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

    /** Stands still until everything has been played, however long that takes, and then continues in real time. */
    private static final class Clock implements InstantSource {

        private final long playedAtMillis = System.currentTimeMillis();
        private volatile long agoMillis;
        private volatile long behindMillis;

        private Clock(long agoMillis) {
            this.agoMillis = agoMillis;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }

        @Override
        public long millis() {
            long ago = agoMillis;
            return ago > 0 ? playedAtMillis - ago : System.currentTimeMillis() - behindMillis;
        }

        /** Makes a step; returns how long before now it is then. */
        long step() {
            long ago = Math.max(0, agoMillis - STEP_MILLIS);
            behindMillis = System.currentTimeMillis() - playedAtMillis;
            agoMillis = ago;
            return ago;
        }
    }

    String page() {
        return "http://127.0.0.1:" + server.port() + "/_sluice/";
    }

    /** What operators have changed. */
    List<OverrideChange> history() {
        return sluice.limitHistory().toCompletableFuture().join();
    }

    /** Makes the calls of many customers, up to now. */
    void play() throws IOException, InterruptedException {
        long ago;
        int step = 0;
        do {
            ago = clock.step();
            play.step(ago / 1000.0, (times, call) -> call(times, call, this::decide));
            if (++step % 10 == 0) {
                get("data.json");
            }
        } while (ago > 0);
    }

    void change(UnaryOperator<String> limits) throws IOException {
        Files.writeString(file, limits.apply(play.limits()));
    }

    /** Makes a call with names that HTTP cannot carry. */
    void decideFor(String tenant) {
        decide(TestCall.get("/product/1").of(tenant));
    }

    /** Makes calls over HTTP until the scene is closed. */
    void goOn() {
        var unused = timer.scheduleAtFixedRate(
                () -> play.step(0, (times, call) -> call(times, call, this::send)),
                0,
                STEP_MILLIS,
                TimeUnit.MILLISECONDS);
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

    /** Calls the login from this address, over HTTP. */
    void logIn(String ip) throws IOException, InterruptedException {
        var unused = call("POST", "/login", Map.of("X-Forwarded-For", ip));
    }

    /** Makes a call over HTTP; returns its status. */
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

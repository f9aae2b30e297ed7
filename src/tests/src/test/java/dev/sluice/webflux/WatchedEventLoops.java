package dev.sluice.webflux;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.counter.Permits;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.open.Sluice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import reactor.blockhound.BlockHound;

/** A program for {@link EventLoopTest}: prints which calls of the library have blocked an event loop. */
final class WatchedEventLoops {

    private static final String ON_PURPOSE = AnyAnswers.class.getName();

    /** The methods that spin. BlockHound counts them as blocking. */
    private static final Set<String> SPINNING = Set.of("onSpinWait", "yield");

    /**
     * The only classes that may spin, and only for some nanoseconds: until another call has kept or released the permits
     * that it borrowed.
     */
    private static final Set<String> MAY_SPIN = Set.of(Pool.class.getName(), Permits.class.getName());

    private WatchedEventLoops() {}

    public static void main(String[] arguments) {
        Set<String> blocked = new ConcurrentSkipListSet<>();
        BlockHound.builder()
                .loadIntegrations()
                .blockingMethodCallback(method -> {
                    List<String> frames = Stream.of(Thread.currentThread().getStackTrace())
                            .map(StackTraceElement::getClassName)
                            .filter(frame -> !frame.matches("(java|jdk|sun|reactor\\.blockhound)\\..*"))
                            .filter(frame -> !frame.startsWith(WatchedEventLoops.class.getName()))
                            .toList();
                    String caller = frames.get(0);
                    boolean spins = SPINNING.contains(method.getName()) && MAY_SPIN.contains(caller);
                    if (caller.startsWith("dev.sluice.") && !spins) {
                        blocked.add(method + " in " + frames);
                    }
                })
                .install();
        try (Sluice sluice = Sluice.builder()
                        .config(arguments[0])
                        .store(new DistantStore())
                        .open();
                NettyServer server = NettyServer.start(
                        "",
                        () -> new RateLimitWebFilter(sluice, null, 0),
                        beans -> beans.registerBean(
                                SluiceWebPage.class,
                                () -> SluiceWebPage.of(sluice).open()),
                        AnyAnswers.class)) {
            RawHttp.get(server, "/block");
            if (blocked.removeIf(one -> one.contains(" in [" + ON_PURPOSE))) {
                System.out.println("BlockHound notices what blocks on purpose");
            }
            Set<Integer> statuses = new ConcurrentSkipListSet<>();
            for (String path : List.of("/hello", "/denied", "/teapot", "/charge", "/other", "/fault")) {
                CompletableFuture<?>[] calls = IntStream.range(0, 40)
                        .mapToObj(i -> CompletableFuture.runAsync(() -> statuses.add(call(server, path, i))))
                        .toArray(CompletableFuture[]::new);
                CompletableFuture.allOf(calls).join();
            }
            if (statuses.containsAll(Arrays.asList(200, 403, 404, 418, 429, 500))) {
                System.out.println("refused and admitted calls on every endpoint");
            } else {
                System.out.println("only statuses " + statuses);
            }
            readPage(server);
        }
        blocked.forEach(one -> System.out.println("blocked: " + one));
        System.exit(0);
    }

    /** Reads everything that the page answers, and a few events. */
    private static void readPage(NettyServer server) {
        List<Integer> statuses = Stream.of("", "/", "/page.js", "/data.json", "/client.json?id=1", "/x")
                .map(path -> RawHttp.get(server, "/_sluice" + path).status())
                .toList();
        try (Socket reader = RawHttp.begin(server, "/_sluice/events")) {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(reader.getInputStream(), StandardCharsets.UTF_8));
            long events = lines.lines()
                    .filter(line -> line.startsWith("data: "))
                    .limit(3)
                    .count();
            System.out.println("the page answered " + statuses + " and " + events + " events");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers after a delay, so that calls wait. */
    private static final class DistantStore implements CounterStore {

        private final CounterStore store = CounterStores.open(CounterStores.MEMORY);

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            Executor later = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
            return CompletableFuture.supplyAsync(() -> batch, later).thenCompose(store::exchange);
        }

        @Override
        public void subscribe(String instance, Consumer<News> listener) {
            store.subscribe(instance, listener);
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private static int call(NettyServer server, String path, int number) {
        return RawHttp.send(
                        server, "GET", path, "X-Org-Id: tenant-" + number % 7, "X-Forwarded-For: 192.0.2." + number % 5)
                .status();
    }
}

package dev.sluice.servlet.contract;

import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

public abstract class GoneCallersContract {

    private final WebServer.Make make;
    static ExecutorService workers;

    static final java.util.Map<Object, List<String>> HISTORIES = new java.util.concurrent.ConcurrentHashMap<>();

    static List<String> history(jakarta.servlet.http.HttpServletRequest request) {
        try {
            var remembered = dev.sluice.servlet.underway.RememberedDecision.latest(request);
            List<String> h = java.util.Collections.synchronizedList(new ArrayList<>());
            HISTORIES.put(remembered.ticketed(), h);
            return h;
        } catch (RuntimeException e) {
            throw e;
        }
    }

    static AsyncContext begin(jakarta.servlet.http.HttpServletRequest request, List<String> h) {
        AsyncContext async = request.startAsync();
        async.setTimeout(60_000);
        async.addListener(new jakarta.servlet.AsyncListener() {
            @Override
            public void onComplete(jakarta.servlet.AsyncEvent event) {
                h.add("onComplete");
            }

            @Override
            public void onTimeout(jakarta.servlet.AsyncEvent event) {
                h.add("onTimeout");
            }

            @Override
            public void onError(jakarta.servlet.AsyncEvent event) {
                h.add("onError " + event.getThrowable());
            }

            @Override
            public void onStartAsync(jakarta.servlet.AsyncEvent event) {
                h.add("onStartAsync");
            }
        });
        return async;
    }

    static void complete(AsyncContext async, List<String> h) {
        h.add("complete");
        try {
            async.complete();
            h.add("completed");
        } catch (RuntimeException e) {
            h.add("complete: " + e);
        }
    }

    static boolean hasEnded(Object call) {
        try {
            var f = dev.sluice.servlet.underway.TicketedCall.class.getDeclaredField("ended");
            f.setAccessible(true);
            return ((java.util.concurrent.atomic.AtomicBoolean) f.get(call)).get();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public GoneCallersContract(WebServer.Make make) {
        this.make = make;
    }

    @Test
    void explore() throws Exception {
        workers = Executors.newCachedThreadPool(r -> {
            Thread t = new Thread(r, "worker");
            t.setDaemon(true);
            return t;
        });
        TicketFake limiter = TicketFake.atOnce();
        WebServer server = make.start(Application.at("", (classes, context) -> {
            SmallApplication.addFilter(context, "limits", new RateLimitFilter(limiter), "/*");
            for (boolean completes : new boolean[] {true, false}) {
                SmallApplication.addServlet(context, completes ? "/stream" : "/forgets", (request, response) -> {
                    List<String> h = history(request);
                    AsyncContext async = begin(request, h);
                    workers.execute(() -> {
                        try {
                            for (int i = 0; i < 100; i++) {
                                response.getOutputStream().write(new byte[1000]);
                                response.flushBuffer();
                                Thread.sleep(5);
                            }
                            complete(async, h);
                        } catch (Exception e) {
                            h.add("write: " + e);
                            if (completes) {
                                complete(async, h);
                            }
                        }
                    });
                });
            }
            SmallApplication.addServlet(context, "/listener", (request, response) -> {
                    List<String> h = history(request);
                    AsyncContext async = begin(request, h);
                ServletOutputStream out = response.getOutputStream();
                out.setWriteListener(new WriteListener() {
                    int pieces;

                    @Override
                    public void onWritePossible() throws IOException {
                        h.add("possible");
                        while (out.isReady()) {
                            if (pieces++ > 200) {
                                complete(async, h);
                                return;
                            }
                            try {
                                out.write(new byte[8_000]);
                            } catch (IOException e) {
                                h.add("write: " + e);
                                throw e;
                            }
                        }
                    }

                    @Override
                    public void onError(Throwable t) {
                            h.add("writer.onError " + t);
                            complete(async, h);
                    }
                });
            });
            for (boolean throwing : new boolean[] {true, false}) {
                SmallApplication.addServlet(context, throwing ? "/throws" : "/sends", (request, response) -> {
                    if (request.getDispatcherType() == jakarta.servlet.DispatcherType.REQUEST) {
                        request.startAsync().dispatch();
                    } else {
                        request.startAsync().setTimeout(60_000);
                        if (throwing) {
                            throw new IllegalStateException("broken by intent");
                        }
                        response.sendError(500);
                    }
                });
            }
            AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
            spring.register(Mvc.class);
            var registration = context.addServlet("mvc", new DispatcherServlet(spring));
            registration.setAsyncSupported(true);
            registration.addMapping("/mvc/*");
        }));
        try {
            check(server);
            String only = java.util.Objects.requireNonNullElse(System.getenv("GONE_ONLY"), "");
            for (String path : List.of("/stream", "/forgets", "/listener", "/mvc/sse", "/mvc/body", "/mvc/deferred", "/throws", "/sends")) {
                if (!path.contains(only)) {
                    continue;
                }
                for (boolean h2 : new boolean[] {false, true}) {
                    for (int window : new int[] {1}) {
                    burst(server, limiter, path, h2, window);
                    }
                }
            }
        } finally {
            server.close();
            workers.shutdownNow();
        }
    }

    static void check(WebServer server) {
        System.out.println("\nGONE normal " + RawHttp.get(server, "/listener").body().length());
    }

    private void burst(WebServer server, TicketFake limiter, String path, boolean h2, int window) throws Exception {
        int before = limiter.furtherEnds().size();
        int askedBefore = limiter.asked();
        List<Thread> callers = new ArrayList<>();
        List<Socket> open = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 100; i++) {
            boolean tcp = i % 2 == 0; int mode = i % 3;
            Thread t = new Thread(() -> {
                try {
                    Socket s;
                    if (h2) {
                        s = RawHttp2.begin(server, path);
                    } else {
                        s = new Socket("127.0.0.1", server.port());
                        s.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: here\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                    }
                    Thread.sleep(mode == 0 ? 0 : mode == 1 ? 20 : ThreadLocalRandom.current().nextInt(100));
                    if (h2 && !tcp) {
                        RawHttp2.reset(s);
                        open.add(s);
                    } else {
                        s.setSoLinger(true, 0);
                        s.close();
                    }
                } catch (IOException e) {
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            t.start();
            callers.add(t);
        }
        for (Thread t : callers) {
            t.join();
        }
        long begin = System.nanoTime();
        int missing;
        while (true) {
            missing = (limiter.asked() - askedBefore) - (limiter.furtherEnds().size() - before);
            if (System.nanoTime() - begin > 4_000_000_000L || (missing == 0 && System.nanoTime() - begin > 500_000_000L)) {
                break;
            }
            Thread.sleep(20);
        }
        System.out.println("\nGONE " + getClass().getSimpleName() + " " + path + (h2 ? " h2" : " h1") + " window " + window + " asked " + (limiter.asked() - askedBefore)
                + " missing " + missing);
        java.util.Map<String, Integer> lost = new java.util.TreeMap<>();
        HISTORIES.forEach((call, h) -> {
            if (!hasEnded(call)) {
                lost.merge(List.copyOf(h).toString(), 1, Integer::sum);
            }
        });
        HISTORIES.clear();
        lost.forEach((h, n) -> System.out.println("\nLOST " + getClass().getSimpleName() + " " + path + " h2=" + h2 + " " + n + " " + h));
        for (Socket s : open) {
            s.close();
        }
        Thread.sleep(500);
    }

    @EnableWebMvc
    @RestController
    static class Mvc {

        @GetMapping("/sse")
        SseEmitter sse(jakarta.servlet.http.HttpServletRequest request) {
            List<String> h = history(request);
            SseEmitter emitter = new SseEmitter(60_000L) {
                @Override
                protected void extendResponse(org.springframework.http.server.ServerHttpResponse r) {
                    super.extendResponse(r);
                }
            };
            emitter.onError(e -> h.add("emitter.onError " + e));
            emitter.onCompletion(() -> h.add("emitter.onCompletion"));
            workers.execute(() -> {
                try {
                    for (int i = 0; i < 100; i++) {
                        emitter.send("hello");
                        Thread.sleep(5);
                    }
                    emitter.complete();
                } catch (Exception e) {
                    h.add("send: " + e);
                }
            });
            return emitter;
        }

        @GetMapping("/body")
        StreamingResponseBody body() {
            return out -> {
                for (int i = 0; i < 100; i++) {
                    out.write(new byte[1000]);
                    out.flush();
                    try {
                        Thread.sleep(5);
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                }
            };
        }

        @GetMapping("/deferred")
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>(60_000L);
            workers.execute(() -> {
                try {
                    Thread.sleep(60);
                } catch (InterruptedException e) {
                }
                result.setResult("done");
            });
            return result;
        }
    }
}

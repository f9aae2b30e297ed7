package dev.sluice.servlet.contract;

import static dev.sluice.servlet.contract.SmallApplication.addServlet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Callers who reset their calls at any moment, many at once. Each call ends, and once only: also where the container reports
 * no end, although hardly anything here times out. The same for dispatches that start async again and fail, where Tomcat
 * neither answers nor reports an end.
 */
public abstract class GoneCallersContract {

    private static final int CALLS = 40;
    private static final int PIECES = 100;
    private static final long NO_TIME_OUT_MILLIS = 600_000;
    private static final long LATEST_RESET_MILLIS = 60;

    private final WebServer.Make make;
    private final Random random = new Random(7);
    /** By path, so that a failure says which calls have not ended. */
    private final Map<String, TicketFake> limiters = new ConcurrentHashMap<>();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private WebServer server;

    public GoneCallersContract(WebServer.Make make) {
        this.make = make;
    }

    @BeforeEach
    void start() throws Exception {
        server = make.start(Application.at("", (classes, context) -> {
            serve(context, "/stream", (request, response) -> stream(request, response, true));
            serve(context, "/forgotten-stream", (request, response) -> stream(request, response, false));
            serve(context, "/text", this::writeText);
            serve(context, "/listener", this::writeWhenPossible);
            serve(context, "/dispatch-that-throws", (request, response) -> {
                if (beginsAgain(request)) {
                    throw new IllegalStateException("broken by intent");
                }
            });
            serve(context, "/dispatch-that-sends-an-error", (request, response) -> {
                if (beginsAgain(request)) {
                    response.sendError(500);
                }
            });
            addSpring(context);
        }));
    }

    @AfterEach
    void stop() {
        server.close();
        threads.shutdownNow();
        assertThat(limiters.values())
                .allMatch(limiter -> limiter.furtherEnds().size() == limiter.asked(), "ended once");
    }

    private void serve(ServletContext context, String path, SmallApplication.Handling handling) {
        limit(context, path);
        addServlet(context, path, handling);
    }

    private void limit(ServletContext context, String path) {
        TicketFake limiter = TicketFake.atOnce();
        limiters.put(path, limiter);
        SmallApplication.addFilter(context, "limit of " + path, new RateLimitFilter(limiter), path);
    }

    private void addSpring(ServletContext context) {
        List.of("/spring/events", "/spring/body", "/spring/deferred").forEach(path -> limit(context, path));
        AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
        spring.register(Shop.class);
        spring.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("threads", threads));
        ServletRegistration.Dynamic servlet = context.addServlet("spring", new DispatcherServlet(spring));
        servlet.setAsyncSupported(true);
        servlet.addMapping("/spring/*");
    }

    /** How long a container may leave a call to its time-out whose writer is never told that its caller has gone. */
    protected long listenerTimeOutMillis() {
        return NO_TIME_OUT_MILLIS;
    }

    private static AsyncContext begin(HttpServletRequest request, long timeOutMillis) {
        AsyncContext async = request.startAsync();
        async.setTimeout(timeOutMillis);
        return async;
    }

    private void stream(HttpServletRequest request, HttpServletResponse response, boolean completes) {
        AsyncContext async = begin(request, NO_TIME_OUT_MILLIS);
        threads.execute(() -> {
            try {
                for (int i = 0; i < PIECES; i++) {
                    response.getOutputStream().write(new byte[1_000]);
                    response.flushBuffer();
                    Eventually.pause(5);
                }
                async.complete();
            } catch (IOException | RuntimeException e) {
                if (completes) {
                    completeIfPossible(async);
                }
            }
        });
    }

    private void writeText(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext async = begin(request, NO_TIME_OUT_MILLIS);
        threads.execute(() -> {
            try {
                PrintWriter writer = response.getWriter();
                for (int i = 0; i < PIECES && !writer.checkError(); i++) {
                    writer.println("data: x\n");
                    writer.flush();
                    Eventually.pause(5);
                }
                completeIfPossible(async);
            } catch (IOException | RuntimeException e) {
                completeIfPossible(async);
            }
        });
    }

    private void writeWhenPossible(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = begin(request, listenerTimeOutMillis());
        ServletOutputStream out = response.getOutputStream();
        out.setWriteListener(new WriteListener() {
            private int pieces;

            @Override
            public void onWritePossible() throws IOException {
                while (out.isReady()) {
                    if (pieces == 2 * PIECES) {
                        async.complete();
                        return;
                    }
                    pieces++;
                    out.write(new byte[8_000]);
                }
            }

            @Override
            public void onError(Throwable fault) {
                completeIfPossible(async);
            }
        });
    }

    private static void completeIfPossible(AsyncContext async) {
        try {
            async.complete();
        } catch (RuntimeException e) {
            // the container has ended the call, or forbids to use it
        }
    }

    /** Starts async; in a dispatch, a second time, which is answered. */
    private static boolean beginsAgain(HttpServletRequest request) {
        AsyncContext async = begin(request, NO_TIME_OUT_MILLIS);
        if (request.getDispatcherType() == DispatcherType.ASYNC) {
            return true;
        }
        async.dispatch();
        return false;
    }

    /** An application of Spring MVC. */
    @EnableWebMvc
    @RestController
    static class Shop {

        private final ExecutorService threads;

        Shop(ExecutorService threads) {
            this.threads = threads;
        }

        @GetMapping("/events")
        SseEmitter events() {
            SseEmitter emitter = new SseEmitter(NO_TIME_OUT_MILLIS);
            threads.execute(() -> {
                try {
                    for (int i = 0; i < PIECES; i++) {
                        emitter.send("event");
                        Eventually.pause(5);
                    }
                    emitter.complete();
                } catch (IOException | RuntimeException e) {
                    // as Spring advises: the container is to report it
                }
            });
            return emitter;
        }

        @GetMapping("/body")
        StreamingResponseBody body() {
            return out -> {
                for (int i = 0; i < PIECES; i++) {
                    out.write(new byte[1_000]);
                    out.flush();
                    Eventually.pause(5);
                }
            };
        }

        @GetMapping("/deferred")
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>(NO_TIME_OUT_MILLIS);
            threads.execute(() -> {
                Eventually.pause(30);
                result.setResult("done");
            });
            return result;
        }
    }

    @Test
    void leaveCallsThatEnd() throws Exception {
        List<Future<Socket>> callers = new ArrayList<>();
        for (String path : limiters.keySet()) {
            for (int i = 0; i < CALLS; i++) {
                callers.add(begin(path, i));
            }
        }
        List<Socket> open = new ArrayList<>();
        for (Future<Socket> caller : callers) {
            open.add(caller.get());
        }
        Eventually.await(this::ends, () -> limiters.values().stream().allMatch(GoneCallersContract::hasEnded));
        for (Socket caller : open) {
            caller.close();
        }
    }

    /** A call over HTTP/1.1, which resets its connection, or over HTTP/2, which resets its connection or only itself. */
    private Future<Socket> begin(String path, int number) {
        boolean stays = path.startsWith("/dispatch");
        long resetMillis = number % 3 == 0 ? 20 : random.nextLong(LATEST_RESET_MILLIS);
        return threads.submit(() -> {
            Socket caller = number % 4 < 2 ? RawHttp.begin(server, path) : RawHttp2.begin(server, path);
            Eventually.pause(resetMillis);
            if (number % 4 == 2 && !stays) {
                RawHttp2.reset(caller);
            } else if (!stays) {
                caller.setSoLinger(true, 0);
                caller.close();
            }
            return caller;
        });
    }

    /** Some calls are reset before the container knows them. */
    private static boolean hasEnded(TicketFake limiter) {
        return limiter.asked() >= CALLS / 4 && limiter.furtherEnds().size() == limiter.asked();
    }

    private String ends() {
        Map<String, String> ends = new TreeMap<>();
        limiters.forEach((path, limiter) ->
                ends.put(path, limiter.furtherEnds().size() + " of " + limiter.asked() + " calls have ended"));
        return ends.toString();
    }
}

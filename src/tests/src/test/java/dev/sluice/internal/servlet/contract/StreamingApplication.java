package dev.sluice.internal.servlet.contract;

import static dev.sluice.internal.servlet.contract.SmallApplication.addServlet;
import static java.util.stream.Collectors.joining;

import dev.sluice.Eventually;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * An application that answers asynchronously in all usual ways, and callers who disconnect before they have read the
 * answer. Each path may have a suffix: {@code /stream} also serves {@code /stream/x}. Hardly anything here times out.
 */
final class StreamingApplication implements AutoCloseable {

    /** Paths whose callers may disconnect at any time. */
    static final List<String> STREAMS = List.of(
            "/stream",
            "/forgotten-stream",
            "/flood",
            "/text",
            "/listener",
            "/spring/events",
            "/spring/body",
            "/spring/deferred");

    /** Paths whose answers begin before the call is held up. */
    static final List<String> ANSWERED_AT_ONCE =
            List.of("/stream", "/forgotten-stream", "/flood", "/text", "/spring/events", "/spring/body");

    /** Paths that fail in their second dispatch. */
    static final List<String> FAILING = List.of("/dispatch-that-throws", "/dispatch-that-sends-an-error");

    /** Paths that read a body which the caller does not send completely. */
    static final List<String> READING = List.of("/read", "/read-by-listener", "/read-text", "/echo");

    /** Pages that answer asynchronously after the container has called them for an error. */
    static final List<String> ERROR_PAGES = List.of("/sorry", "/sorry-by-dispatch");

    /** Paths for which the container shows these pages. */
    static final Map<Integer, String> PAGES_OF_ERRORS =
            Map.of(404, "/sorry", 409, "/sorry-by-forward", 410, "/sorry-by-dispatch", 500, "/sorry");

    private static final int PIECES = 100;
    static final long NO_TIME_OUT_MILLIS = 600_000;

    private final Queue<AsyncContext> held = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final long listenerTimeoutMillis;

    /**
     * Creates an application that no container serves yet.
     *
     * @param listenerTimeoutMillis after this time, the container ends an answer of a {@code WriteListener}
     */
    StreamingApplication(long listenerTimeoutMillis) {
        this.listenerTimeoutMillis = listenerTimeoutMillis;
    }

    void addTo(ServletContext context) {
        addServlet(context, "/stream/*", (request, response) -> stream(request, response, true));
        addServlet(context, "/forgotten-stream/*", (request, response) -> stream(request, response, false));
        addServlet(context, "/flood/*", this::flood);
        addServlet(context, "/text/*", this::writeText);
        addServlet(context, "/listener/*", this::writeWhenPossible);
        addServlet(context, "/hold/*", (request, response) -> held.add(begin(request, NO_TIME_OUT_MILLIS)));
        addServlet(context, "/dispatch-that-throws/*", (request, response) -> {
            if (beginsAgain(request)) {
                throw new IllegalStateException("broken by intent");
            }
        });
        addServlet(context, "/dispatch-that-sends-an-error/*", (request, response) -> {
            if (beginsAgain(request)) {
                response.sendError(500);
            }
        });
        addServlet(context, "/read", (request, response) -> read(request, request.getInputStream()::read));
        addServlet(context, "/read-text", (request, response) -> read(request, request.getReader()::read));
        addServlet(context, "/read-by-listener", (request, response) -> readWhenPossible(request, null));
        addServlet(context, "/echo", (request, response) -> readWhenPossible(request, response.getOutputStream()));
        addServlet(context, "/fail", (request, response) -> response.sendError(404));
        addServlet(context, "/fail-by-forward", (request, response) -> response.sendError(409));
        addServlet(context, "/fail-by-dispatch", (request, response) -> response.sendError(410));
        addServlet(context, "/fail-by-exception", (request, response) -> {
            throw new IllegalStateException("broken by intent");
        });
        addServlet(context, "/sorry", (request, response) -> answerLater(request, AsyncContext::complete));
        addServlet(
                context,
                "/sorry-by-forward",
                (request, response) -> request.getRequestDispatcher("/sorry").forward(request, response));
        addServlet(context, "/sorry-by-dispatch", (request, response) -> {
            if (request.getDispatcherType() != DispatcherType.ASYNC) {
                answerLater(request, async -> async.dispatch("/sorry-by-dispatch"));
            }
        });
        AnnotationConfigWebApplicationContext spring = new AnnotationConfigWebApplicationContext();
        spring.register(Shop.class);
        spring.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("threads", threads));
        ServletRegistration.Dynamic servlet = context.addServlet("spring", new DispatcherServlet(spring));
        servlet.setAsyncSupported(true);
        servlet.addMapping("/spring/*");
    }

    /** How many calls of {@code /hold} are not answered yet. */
    int held() {
        return held.size();
    }

    /** The stack traces of threads whose calls have not ended, because a container may never wake one. */
    static String whereThreadsAre() {
        return Thread.getAllStackTraces().values().stream()
                .map(List::of)
                .filter(frames -> frames.stream()
                        .anyMatch(frame -> frame.getClassName().startsWith(StreamingApplication.class.getName())))
                .map(frames ->
                        frames.stream().limit(8).map(frame -> "\n    " + frame).collect(joining()))
                .collect(joining("\n"));
    }

    /** Answers these calls. */
    void release() {
        for (AsyncContext call = held.poll(); call != null; call = held.poll()) {
            call.complete();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
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

    /** Writes until it blocks, because no caller reads, and then until the caller disconnects. */
    private void flood(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext async = begin(request, NO_TIME_OUT_MILLIS);
        threads.execute(() -> {
            byte[] piece = new byte[64_000];
            try {
                while (true) {
                    response.getOutputStream().write(piece);
                    response.flushBuffer();
                }
            } catch (IOException | RuntimeException e) {
                completeIfPossible(async);
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
        AsyncContext async = begin(request, listenerTimeoutMillis);
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

    /**
     * Reads on a thread of its own, and abandons the call if that fails. Nobody sends a 0, but the reader of a
     * container may say for ever that it has read nothing.
     */
    private void read(HttpServletRequest request, Callable<Integer> read) {
        AsyncContext async = begin(request, NO_TIME_OUT_MILLIS);
        Future<?> unused = threads.submit(() -> {
            while (read.call() > 0) {
                Thread.onSpinWait();
            }
            async.complete();
            return null;
        });
    }

    /** Abandons the call if its caller does not send everything. */
    private static void readWhenPossible(HttpServletRequest request, @Nullable ServletOutputStream echo)
            throws IOException {
        AsyncContext async = begin(request, NO_TIME_OUT_MILLIS);
        ServletInputStream in = request.getInputStream();
        if (echo != null) {
            echo.setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() {}

                @Override
                public void onError(Throwable fault) {}
            });
        }
        in.setReadListener(new ReadListener() {
            @Override
            public void onDataAvailable() throws IOException {
                while (in.isReady() && !in.isFinished()) {
                    int sent = in.read();
                    if (echo != null && sent >= 0 && echo.isReady()) {
                        echo.write(sent);
                    }
                }
            }

            @Override
            public void onAllDataRead() {
                async.complete();
            }

            @Override
            public void onError(Throwable fault) {}
        });
    }

    /** Answers when the dispatch has returned to the container. */
    private void answerLater(HttpServletRequest request, Consumer<AsyncContext> answer) {
        AsyncContext async = begin(request, NO_TIME_OUT_MILLIS);
        threads.execute(() -> {
            Eventually.pause(100);
            answer.accept(async);
        });
    }

    private static void completeIfPossible(AsyncContext async) {
        try {
            async.complete();
        } catch (RuntimeException e) {
            // the container has ended the call, or forbids using it
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

        @GetMapping("/events/**")
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
                    // as Spring advises: leaves it to the container to report
                }
            });
            return emitter;
        }

        @GetMapping("/body/**")
        StreamingResponseBody body() {
            return out -> {
                for (int i = 0; i < PIECES; i++) {
                    out.write(new byte[1_000]);
                    out.flush();
                    Eventually.pause(5);
                }
            };
        }

        @GetMapping("/deferred/**")
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>(NO_TIME_OUT_MILLIS);
            threads.execute(() -> {
                Eventually.pause(30);
                result.setResult("done");
            });
            return result;
        }
    }

    Future<RawHttp.Answer> get(WebServer server, String path, boolean isHttp2) {
        return threads.submit(() -> isHttp2 ? RawHttp2.get(server, path) : RawHttp.get(server, path));
    }

    Future<Socket> begin(WebServer server, String path) {
        return threads.submit(() -> RawHttp.begin(server, path));
    }

    /**
     * Sends a call over HTTP/1.1 or HTTP/2, and disconnects after this time. The number selects one of eight ways. Over
     * HTTP/2 the caller may reset only the call, so the returned connection may still be open.
     */
    Future<Socket> beginAndLeave(WebServer server, String path, int number, long afterMillis) {
        int way = number % 8;
        return threads.submit(() -> {
            Socket caller = way < 4 ? RawHttp.begin(server, path) : RawHttp2.begin(server, path);
            Eventually.pause(afterMillis);
            if (way == 4 || way == 5) {
                RawHttp2.reset(caller);
            } else {
                leave(caller, way);
            }
            return caller;
        });
    }

    /** Sends a call over HTTP/1.1, and disconnects once its answer has begun. */
    Future<Socket> beginAndLeaveAnswered(WebServer server, String path, int number) {
        return threads.submit(() -> {
            Socket caller = RawHttp.begin(server, path);
            caller.setSoTimeout(10_000);
            caller.getInputStream().readNBytes("HTTP/1.1 200".length());
            leave(caller, number % 4);
            return caller;
        });
    }

    /**
     * Sends a call over HTTP/1.1 or HTTP/2 with a part of its body, and stops sending after this time. The number
     * selects one of five ways. If listeners may not learn of an orderly close of an HTTP/2 connection, it is reset.
     * The returned connection may still be open.
     */
    Future<Socket> sendInPart(WebServer server, String path, int number, long afterMillis) {
        int way = number % 5;
        return threads.submit(() -> {
            Socket caller = way < 3 ? RawHttp.beginToSend(server, path) : RawHttp2.beginToSend(server, path);
            Eventually.pause(afterMillis);
            if (way == 3) {
                RawHttp2.reset(caller);
            } else if (way == 1) {
                caller.shutdownOutput();
            } else {
                boolean isReset = way == 0 || (way == 4 && listenerTimeoutMillis != NO_TIME_OUT_MILLIS);
                leave(caller, isReset ? 0 : 3);
            }
            return caller;
        });
    }

    /** Resets the connection, closes one half of it first, or closes it in an orderly way. */
    private static void leave(Socket caller, int way) throws IOException {
        if (way % 4 == 2) {
            caller.shutdownOutput();
            Eventually.pause(10);
        }
        caller.setSoLinger(way != 3, 0);
        caller.close();
    }
}

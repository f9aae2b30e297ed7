package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Callers who disconnect from streams of a plain Spring Boot application free their slots. */
@Timeout(300)
@Tag("server")
class LeftStreamsTest {

    private static final int SLOTS = 10;
    /** Less than the time after which a container gives up a connection. */
    private static final long PATIENCE_SECONDS = 15;

    /** An application with a stream that ends when nobody reads it any more. */
    @RestController
    @Import(Shop.class)
    static class StreamingShop {

        private final ExecutorService threads = Executors.newCachedThreadPool();

        @GetMapping("/events/last")
        String last() {
            return "event";
        }

        @GetMapping("/events")
        SseEmitter events() {
            SseEmitter emitter = new SseEmitter(600_000L);
            threads.execute(() -> {
                try {
                    while (true) {
                        emitter.send("event");
                        Eventually.pause(5);
                    }
                } catch (IOException | RuntimeException e) {
                    // as Spring advises: leaves it to the container to report
                }
            });
            return emitter;
        }
    }

    @Test
    void freeTheirSlots(@TempDir Path directory) throws IOException {
        Path limits = Files.writeString(directory.resolve("limits.yml"), """
                - id: events
                  pathPattern: /events/**
                  per: []
                  tiers: [ { algorithm: concurrency, threshold: %d } ]
                """.formatted(SLOTS));
        try (RunningApplication shop =
                RunningApplication.start(StreamingShop.class, "sluice.config=" + limits, "server.shutdown=immediate")) {
            List<Socket> callers = new ArrayList<>();
            for (int i = 0; i < SLOTS + 2; i++) {
                callers.add(begin(shop));
            }
            Eventually.pause(20);
            reset(callers);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (slotsBeside(shop.get("/events/last")) < SLOTS - 1) {
                assertThat(System.nanoTime()).as("ten slots").isLessThan(deadline);
            }
            assertThat(passAtOnce(shop)).isEqualTo(SLOTS);
        }
    }

    private static long slotsBeside(HttpResponse<String> answer) {
        return answer.headers().firstValueAsLong("x-ratelimit-remaining").orElseThrow();
    }

    private static Socket begin(RunningApplication shop) throws IOException {
        URI events = shop.at("/events");
        Socket caller = new Socket(events.getHost(), events.getPort());
        caller.setSoTimeout(10_000);
        caller.getOutputStream()
                .write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return caller;
    }

    private static void reset(List<Socket> callers) throws IOException {
        for (Socket caller : callers) {
            caller.setSoLinger(true, 0);
            caller.close();
        }
    }

    /** How many streams pass at once, of one more than allowed. */
    private static int passAtOnce(RunningApplication shop) throws IOException {
        List<Socket> callers = new ArrayList<>();
        int passed = 0;
        for (int i = 0; i <= SLOTS; i++) {
            Socket caller = begin(shop);
            callers.add(caller);
            String begin = new String(caller.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(begin).isIn("HTTP/1.1 200", "HTTP/1.1 429");
            passed += begin.endsWith("200") ? 1 : 0;
        }
        reset(callers);
        return passed;
    }
}

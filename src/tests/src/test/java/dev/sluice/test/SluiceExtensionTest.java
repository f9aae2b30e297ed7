package dev.sluice.test;

import static dev.sluice.test.LimitsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimiter;
import dev.sluice.TestCall;
import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.SmallApplication;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.internal.servlet.tomcat.TomcatServer;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.KnownClient;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
class SluiceExtensionTest {

    private static final String LIMITS = "classpath:dev/sluice/test/rate-limits.yml";
    private static final String CALLER = "ip=192.0.2.1";

    /** Each test uses up the same limit, all at once. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class LimitsOfEachTest {

        @RegisterExtension
        static final SluiceExtension SLUICE = SluiceExtension.of(LIMITS);

        static final Set<LimitsUnderTest> SEEN = ConcurrentHashMap.newKeySet();

        @BeforeEach
        void areTheSameBeforeTheTest(LimitsUnderTest before) {
            assertThat(SEEN.add(before)).isTrue();
        }

        @RepeatedTest(8)
        void areItsOwn(LimitsUnderTest limits, Sluice sluice, RateLimiter limiter, HandSetClock clock) {
            assertThat(SEEN).contains(limits);
            assertThat(limiter).isSameAs(sluice);
            assertThat(clock).isSameAs(limits.clock());
            assertThat(limits).hasRemaining(2, "login", CALLER);
            for (int call = 0; call < 3; call++) {
                limiter.decide(TestCall.post("/login"));
            }
            assertThat(limits).refusedTimes(1, "login", CALLER);
            clock.advance(Duration.ofMinutes(1));
            assertThat(limits).hasRemaining(2, "login", CALLER);
        }
    }

    @Nested
    class LimitsOfAClass {

        @RegisterExtension
        static final SluiceExtension SLUICE = SluiceExtension.of(LIMITS);

        private static Sluice shared;

        @BeforeAll
        static void share(Sluice sluice) {
            shared = sluice;
        }

        @RepeatedTest(2)
        void areResetBeforeEachTest(LimitsUnderTest limits, Sluice sluice) {
            assertThat(sluice).isSameAs(shared);
            assertThat(limits).hasRemaining(2, "login", CALLER).refusedNobody();
            assertThat(limits.clock().instant()).isEqualTo(HandSetClock.START);
            limits.exhaust("login", CALLER);
            sluice.decide(TestCall.post("/login"));
            limits.clock().advance(Duration.ofSeconds(1));
        }
    }

    @Nested
    @ExtendWith(SluiceExtension.class)
    class WithoutALocation {

        @TempDir
        static Path folder;

        private final ClassLoader usual = Thread.currentThread().getContextClassLoader();

        @BeforeEach
        void putAFileOnTheClassPath() throws IOException {
            Files.writeString(folder.resolve("rate-limits.yml"), GivenFile.SMALLEST);
            Thread.currentThread()
                    .setContextClassLoader(
                            new URLClassLoader(new URL[] {folder.toUri().toURL()}, usual));
        }

        @AfterEach
        void takeItAway() throws IOException {
            ((URLClassLoader) Thread.currentThread().getContextClassLoader()).close();
            Thread.currentThread().setContextClassLoader(usual);
        }

        @Test
        void readsTheFileOnTheClassPath(Sluice sluice) {
            assertThat(sluice.status().file().name()).isEqualTo("classpath:rate-limits.yml");
        }
    }

    @Nested
    class Limiters {

        static final AtomicInteger CLOSED = new AtomicInteger();

        @RegisterExtension
        static final SluiceExtension SLUICE = SluiceExtension.of(LIMITS)
                .customizedBy(limiter -> limiter.clientSource("customers", new ClientSource() {
                    @Override
                    public CompletionStage<Optional<KnownClient>> find(String source, String value) {
                        return CompletableFuture.completedFuture(Optional.empty());
                    }

                    @Override
                    public void close() {
                        CLOSED.incrementAndGet();
                    }
                }));

        @RepeatedTest(3)
        void areClosedAfterEachTest(RepetitionInfo repetition, Sluice sluice) {
            assertThat(sluice.decide(TestCall.post("/login")).admitted()).isTrue();
            assertThat(CLOSED).hasValue(repetition.getCurrentRepetition() - 1);
        }
    }

    @Nested
    class Servers {

        @RegisterExtension
        static final SluiceExtension SLUICE = SluiceExtension.of(LIMITS);

        @Test
        void areLimitedByTheFilter(RateLimitFilter filter, LimitsUnderTest limits) throws Exception {
            try (WebServer server = TomcatServer.start(application(filter))) {
                assertThat(post(server)).isEqualTo(200);
                limits.exhaust("login", "ip=127.0.0.1");
                assertThat(post(server)).isEqualTo(429);
                assertThat(limits).refusedTimes(1, "login", "ip=127.0.0.1").admits("login", CALLER);
            }
        }

        private static Application application(RateLimitFilter filter) {
            return Application.at("", (classes, context) -> {
                SmallApplication.addFilter(context, "limits", filter, "/*");
                context.addServlet("login", new HttpServlet() {
                            @Override
                            protected void doPost(HttpServletRequest request, HttpServletResponse response) {
                                response.setStatus(200);
                            }
                        })
                        .addMapping("/login");
            });
        }

        private static int post(WebServer server) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/login"))
                    .POST(BodyPublishers.noBody())
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.discarding())
                    .statusCode();
        }
    }
}

package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimitedException;
import dev.sluice.RateLimiter;
import dev.sluice.SubjectResolver;
import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ConfigSource;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RefusalHandler;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes of docs/extending.md work as the page says. */
@Tag("server")
@Tag("docs")
class ExtendingPageTest {

    @TempDir
    private static Path directory;

    private static PageClasses classes;

    @BeforeAll
    static void compile() throws Exception {
        classes = new PageClasses("extending.md", directory, 10);
    }

    @AfterAll
    static void close() throws Exception {
        classes.close();
    }

    @Test
    void allKeysOfACustomerShareALimit() throws Exception {
        SubjectResolver customers = classes.create(
                SubjectResolver.class, "CustomerOfKey", Map.of("k1", "acme", "k2", "acme", "k3", "globex"));
        try (Sluice limits = Sluice.builder()
                .config(new GivenFile("""
                    subjects: { tenant: [ customer, ip ] }
                    endpoints:
                      - { id: get-product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: 2 } ] }
                    """))
                .resolver("customer", customers)
                .open()) {
            assertThat(limits.decide(product("k1")).admitted()).isTrue();
            assertThat(limits.decide(product("k2")).admitted()).isTrue();
            assertThat(limits.decide(product("k1")).admitted()).isFalse();
            assertThat(limits.decide(product("k3")).admitted()).isTrue();
            assertThat(limits.decide(product("made-up")).subjects().get(0).source())
                    .isEqualTo("ip");
        }
    }

    @Test
    void aSearchCostsByItsSize() throws Exception {
        CostResolver cost = classes.create(CostResolver.class, "CostOfSearch");
        assertThat(cost.resolve(TestCall.get("/search"))).isEqualTo(1);
        assertThat(cost.resolve(search("9"))).isEqualTo(1);
        assertThat(cost.resolve(search("50"))).isEqualTo(6);
        assertThat(cost.resolve(search("9999"))).isEqualTo(100);
        assertThat(cost.resolve(search("00500"))).isEqualTo(100);
        assertThat(cost.resolve(search("all"))).isEqualTo(100);
    }

    @Test
    void browsersGetAPageAndProgramsAProblem() throws Exception {
        RefusalHandler handler = classes.create(RefusalHandler.class, "PageOrProblem");
        StringWriter page = new StringWriter();
        HttpServletRequest browser = mock(HttpServletRequest.class);
        when(browser.getHeader("Accept")).thenReturn("text/html,*/*");
        HttpServletResponse response = mock(HttpServletResponse.class);
        when(response.getWriter()).thenReturn(new PrintWriter(page, true));
        handler.refuse(
                browser,
                response,
                Decision.UNLIMITED.withOutcome(Decision.Outcome.REFUSED).withRetryAfter(6_001));
        assertThat(page.toString()).contains("Please wait 7 seconds");
    }

    @Test
    void refusalsOfPaymentsAreCounted() throws Exception {
        RateLimitListener listener = classes.create(RateLimitListener.class, "RefusedPayments");
        try (Sluice limits =
                Sluice.builder().config(new GivenFile("""
                    - { id: payments, pathPattern: /pay, tiers: [ { period: 1d, threshold: 1 } ] }
                    - { id: others, pathPattern: /other, tiers: [ { period: 1d, threshold: 1 } ] }
                    """)).listener(listener).open()) {
            for (int i = 0; i < 3; i++) {
                limits.decide(TestCall.get("/pay"));
                limits.decide(TestCall.get("/other"));
            }
        }
        Method refused = listener.getClass().getDeclaredMethod("refused");
        refused.setAccessible(true);
        assertThat(refused.invoke(listener)).isEqualTo(2L);
    }

    @Test
    void aPoolIsAsBusyAsItsConnections() throws Exception {
        IntSupplier active = () -> 5;
        assertThat(classes.create(LoadSignal.class, "PoolLoad", active, 20).load())
                .isEqualTo(0.25);
    }

    @Test
    void aFileIsReadOverHttp() throws Exception {
        Path served = Files.writeString(directory.resolve("served.yml"), GivenFile.SMALLEST);
        ConfigSource source = classes.create(ConfigSource.class, "LimitsOverHttp", served.toUri());
        assertThat(new String(source.read(), StandardCharsets.UTF_8)).isEqualTo(GivenFile.SMALLEST);
        assertThat(source.name()).isEqualTo(served.toUri().toString());
        try (Sluice limits = Sluice.builder().config(source).open()) {
            assertThat(limits.decide(TestCall.get("/product/1")).limit()).isEqualTo(1000);
        }
    }

    @Test
    void whatCustomersHaveBoughtIsInForce() throws Exception {
        Supplier<List<ClientOverride>> contracts =
                () -> List.of(new ClientOverride("tenant", "acme", "get-product", "7/1d"));
        ClientOverrideSource source = classes.create(ClientOverrideSource.class, "BoughtLimits", contracts);
        try (Sluice limits = Sluice.builder()
                .config(GivenFile.of(GivenFile.SMALLEST))
                .overrideSource(source)
                .open()) {
            Call acme = TestCall.get("/product/1").of("acme");
            Eventually.await(
                    "the customer's own limit", () -> limits.decide(acme).limit() == 7);
        }
    }

    @Test
    void aJobRunsWithinItsLimit() throws Exception {
        AtomicInteger done = new AtomicInteger();
        Runnable work = done::incrementAndGet;
        Object job = classes.create(Object.class, "Job", "acme", work);
        Method run = job.getClass().getDeclaredMethod("runWithin", RateLimiter.class);
        run.setAccessible(true);
        try (Sluice limits = Sluice.builder().config(new GivenFile("""
            - { id: jobs, pathPattern: /jobs, tiers: [
                { period: 1d, threshold: 2 }, { algorithm: concurrency, threshold: 1 } ] }
            """)).open()) {
            assertThat(run.invoke(job, limits)).isEqualTo(true);
            assertThat(run.invoke(job, limits)).isEqualTo(true);
            assertThat(run.invoke(job, limits)).isEqualTo(false);
        }
        assertThat(done).hasValue(2);
        assertThat(((Call) job).header("x-org-id")).isEqualTo("acme");
        assertThat(((Call) job).header("X-Other")).isNull();
    }

    @Test
    void anEventLoopRunsWorkWithinItsLimit() throws Exception {
        Class<?> admission = classes.find("Admission");
        Method run = admission.getDeclaredMethod("run", RateLimiter.class, Call.class, Executor.class, Supplier.class);
        run.setAccessible(true);
        AtomicInteger done = new AtomicInteger();
        Supplier<CompletionStage<Void>> work = () -> {
            done.incrementAndGet();
            return CompletableFuture.completedFuture(null);
        };
        Supplier<CompletionStage<Void>> failing = () -> {
            throw new IllegalStateException("at once");
        };
        try (Sluice limits = Sluice.builder().config(new GivenFile("""
            - { id: jobs, pathPattern: /jobs, tiers: [
                { period: 1d, threshold: 2 }, { algorithm: concurrency, threshold: 1 } ] }
            """)).open()) {
            TestCall call = TestCall.get("/jobs");
            Executor eventLoop = ForkJoinPool.commonPool();
            assertThat(((CompletionStage<?>) run.invoke(null, limits, call, eventLoop, failing)).toCompletableFuture())
                    .failsWithin(10, TimeUnit.SECONDS)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(IllegalStateException.class);
            assertThat(((CompletionStage<?>) run.invoke(null, limits, call, eventLoop, work)).toCompletableFuture())
                    .succeedsWithin(10, TimeUnit.SECONDS);
            assertThat(((CompletionStage<?>) run.invoke(null, limits, call, eventLoop, work)).toCompletableFuture())
                    .failsWithin(10, TimeUnit.SECONDS)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(RateLimitedException.class);
        }
        assertThat(done).hasValue(1);
    }

    private static TestCall product(String key) {
        return TestCall.get("/product/1").with("X-Api-Key", key);
    }

    private static Call search(String size) {
        return TestCall.get("/search").with("query:size", size);
    }
}

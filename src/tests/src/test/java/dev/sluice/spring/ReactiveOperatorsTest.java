package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.open.Sluice;
import dev.sluice.webflux.RateLimitWebFilter;
import dev.sluice.webflux.SluiceWebPage;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A WebFlux application as operators see it: the page, traces, and a warning about an unused limiter. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class ReactiveOperatorsTest {

    private static final String ALL =
            "- { id: everything, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 1 } ] }";
    private static final String EXPOSED = "management.endpoints.web.exposure.include=ratelimits";

    @TempDir
    private Path directory;

    private RunningApplication start(Class<?> application, String limits, String... properties) throws IOException {
        String[] all = new String[properties.length + 1];
        System.arraycopy(properties, 0, all, 1, properties.length);
        all[0] = "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
        return ReactiveApplicationTest.start(application, all);
    }

    /** A shop with a page that everybody may read, and one that nobody may. */
    @Import(Shop.class)
    static class WithPages {

        @Bean
        SluiceWebPage page(Sluice limits) {
            return SluiceWebPage.of(limits).open();
        }

        @Bean
        SluiceWebPage forgotten(Sluice limits) {
            return SluiceWebPage.of(limits).at("/ops/limits");
        }
    }

    @Test
    void thePageIsABeanAndIsNotLimited(CapturedOutput output) throws IOException {
        RunningApplication shop = start(WithPages.class, ALL);
        try (shop) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> page = shop.get("/_sluice/");
                assertThat(page.body()).contains("<title>Sluice</title>");
                assertThat(page.headers().firstValue("x-ratelimit-limit")).isEmpty();
            }
            assertThat(shop.get("/ops/limits/data.json").statusCode()).isEqualTo(403);
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(200);
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(429);
            assertThat(shop.get("/_sluice/data.json").body()).contains("\"id\":\"everything\"");
        }
        assertThat(output.getAll())
                .containsOnlyOnce("The page for operators at ")
                .contains("The page for operators at /ops/limits is closed: nobody can read it. Call roles(...) or "
                        + "open() to admit readers.");
        Eventually.await(
                "its threads end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("sluice-page")));
    }

    @ParameterizedTest
    @CsvSource({
        "server.error.path=/error, '', /actuator/ratelimits",
        "management.endpoints.web.base-path=/manage/, '', /manage/ratelimits",
        "management.endpoints.web.path-mapping.ratelimits=limits, '', /actuator/limits",
        "spring.webflux.base-path=/shop, /shop, /actuator/ratelimits",
    })
    void thePageIsBelowTheEndpointWhereverThatIs(String setting, String basePath, String endpoint) throws IOException {
        try (RunningApplication shop = start(Shop.class, ALL, EXPOSED, setting)) {
            assertThat(shop.get(basePath + endpoint + "/page/").body()).contains("<title>Sluice</title>");
            assertThat(shop.get(basePath + endpoint + "/page/data.json").body()).contains("\"id\":\"everything\"");
            assertThat(shop.get(basePath + endpoint).body()).contains("\"id\":\"everything\"");
        }
    }

    @Test
    void thePageIsOnThePortOfTheActuator() throws IOException {
        try (RunningApplication shop = start(WithPages.class, ALL, EXPOSED, "management.server.port=0")) {
            String port = shop.context().getEnvironment().getProperty("local.management.port");
            String actuator = "http://127.0.0.1:" + port;
            assertThat(shop.caller()
                            .get(URI.create(actuator + "/actuator/ratelimits/page/"))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(shop.caller().get(URI.create(actuator + "/_sluice/")).statusCode())
                    .isEqualTo(404);
            assertThat(shop.get("/_sluice/").statusCode()).isEqualTo(200);
            assertThat(shop.get("/actuator/ratelimits/page/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void anEndpointThatIsNotExposedDoesNotExist() throws IOException {
        try (RunningApplication shop = start(Shop.class, ALL, "management.endpoints.web.exposure.include=health")) {
            assertThat(shop.get("/actuator/ratelimits/page/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aMisspeltParameterOfAChangeIsRefused() throws IOException {
        String unrestricted = "management.endpoint.ratelimits.access=unrestricted";
        try (RunningApplication shop = start(Shop.class, ALL, EXPOSED, unrestricted)) {
            HttpResponse<String> mistaken = shop.caller()
                    .post(
                            "/actuator/ratelimits/ip/192.0.2.7",
                            "application/json",
                            "{\"endpoint\":\"everything\",\"tiers\":\"9/1d\",\"last\":\"1d\"}");
            assertThat(mistaken.statusCode()).isEqualTo(400);
            assertThat(mistaken.body()).contains("there is no parameter last; did you mean lasts?");
        }
    }

    /** A shop that records observations. */
    @Import(Shop.class)
    static class Observed {

        /** The keys of the limiter in each request that has ended. */
        @Bean
        List<String> seen() {
            return new CopyOnWriteArrayList<>();
        }

        @Bean
        ObservationRegistry observations(List<String> seen) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new ObservationHandler<>() {
                @Override
                public void onStop(Observation.Context context) {
                    if ("http.server.requests".equals(context.getName())) {
                        seen.add(keys(context));
                    }
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return true;
                }
            });
            return registry;
        }

        private static String keys(Observation.Context context) {
            return context.getHighCardinalityKeyValues().stream()
                    .filter(key -> key.getKey().startsWith("sluice."))
                    .map((KeyValue key) -> key.getKey() + "=" + key.getValue())
                    .collect(Collectors.joining(" "));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> seen(RunningApplication shop, int requests) {
        List<String> seen = shop.context().getBean("seen", List.class);
        Eventually.await(seen::toString, () -> seen.size() == requests);
        return seen;
    }

    @Test
    void aTraceShowsWhichCallsWereRefused() throws IOException {
        try (RunningApplication shop = start(Observed.class, ALL)) {
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(200);
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(429);
            assertThat(seen(shop, 2))
                    .containsExactly("", "sluice.endpoint=everything sluice.outcome=refused sluice.tier=1d");
        }
    }

    @Test
    void aTraceShowsWhichCallsWereParked() throws IOException {
        String limits = "- { id: turns, pathPattern: /product/*, per: [ ip ], tiers: [ { period: 1m, threshold: 60, "
                + "algorithm: leaky-bucket, queue: 9, maxQueueTime: 9s } ] }";
        try (RunningApplication shop = start(Observed.class, limits)) {
            List<CompletableFuture<Integer>> calls = Stream.generate(() -> CompletableFuture.supplyAsync(
                            () -> shop.get("/product/1").statusCode()))
                    .limit(3)
                    .toList();
            assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo(200));
            assertThat(seen(shop, 3))
                    .contains(
                            "",
                            "sluice.endpoint=turns sluice.outcome=admitted sluice.pending=queued"
                                    + " sluice.tier=1m-leaky-bucket-queue");
        }
    }

    /** A filter whose limiter is no bean. */
    @Import(Shop.class)
    static class OwnLimiter {

        private final Sluice own = Sluice.open("classpath:dev/sluice/spring/by-hand.yml");

        @Bean
        RateLimitWebFilter filter() {
            return new RateLimitWebFilter(own, null, 0);
        }

        @PreDestroy
        void close() {
            own.close();
        }
    }

    private static final String IDLE =
            "are not enforced: the RateLimitWebFilter of this application uses a different limiter";

    @Test
    void aLimiterThatNoFilterAsksIsLogged(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(OwnLimiter.class, ALL)) {
            assertThat(shop.get("/product/1").headers().firstValue("x-ratelimit-limit"))
                    .hasValue("42");
            assertThat(output.getAll())
                    .containsOnlyOnce(IDLE + ", with the limits in classpath:dev/sluice/spring/by-hand.yml")
                    .containsPattern("The limits in \\S+limits.yml " + IDLE);
        }
    }

    /** A filter that asks the bean. */
    @Import(Shop.class)
    static class AsksTheBean {

        @Bean
        RateLimitWebFilter filter(Sluice sluice) {
            return new RateLimitWebFilter(sluice, null, 0);
        }
    }

    @Test
    void nothingIsLoggedIfTheFilterAsksTheBean(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(AsksTheBean.class, ALL)) {
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(200);
            assertThat(output.getAll()).doesNotContain(IDLE);
        }
    }
}

package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.Call;
import dev.sluice.CostResolver;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.SubjectResolver;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.RefusalHandler;
import dev.sluice.spring.start.LimitsFailureAnalyzer;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.web.filter.ServerHttpObservationFilter;

/** A Spring Boot application with the library and a file, and no code for limits. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class AutoConfiguredTest {

    private static final String TWO_PRODUCTS = """
        - id: product
          pathPattern: /product/*
          per: [ ip ]
          tiers: [ { period: 1d, threshold: 2 } ]
        """;

    @TempDir
    private Path directory;

    private String config(String limits) throws IOException {
        return "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
    }

    @Test
    void aFileIsEnough() throws IOException {
        try (RunningApplication shop = RunningApplication.start(Shop.class, config(TWO_PRODUCTS))) {
            assertThat(shop.get("/product/1").headers().firstValue("x-ratelimit-remaining"))
                    .hasValue("1");
            assertThat(shop.get("/product/2").body()).isEqualTo("product 2");
            HttpResponse<String> refused = shop.get("/product/3");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        }
    }

    /** Spring forwards to the file, so a filter hears of the path alone. */
    @Test
    void theHomePageCountsAsItsFile() throws IOException {
        Files.writeString(directory.resolve("index.html"), "welcome");
        String limits = "- { id: home, pathPattern: /index.html, tiers: [ { period: 1h, threshold: 2 } ] }";
        try (RunningApplication shop = RunningApplication.start(
                Shop.class, config(limits), "spring.web.resources.static-locations=file:" + directory + "/")) {
            assertThat(shop.get("/").body()).isEqualTo("welcome");
            assertThat(shop.get("/index.html").body()).isEqualTo("welcome");
            assertThat(shop.get("/").statusCode()).isEqualTo(429);
        }
    }

    /** An application that observes its requests. */
    @Import(Shop.class)
    static class Observed {

        private final List<Observation.Context> requests = new CopyOnWriteArrayList<>();

        @Bean
        ObservationRegistry observations() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new ObservationHandler<>() {

                @Override
                public void onStop(Observation.Context context) {
                    requests.add(context);
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return context instanceof ServerRequestObservationContext;
                }
            });
            return registry;
        }

        @Bean
        FilterRegistrationBean<ServerHttpObservationFilter> observing(ObservationRegistry observations) {
            var observing = new FilterRegistrationBean<>(new ServerHttpObservationFilter(observations));
            observing.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return observing;
        }
    }

    @Test
    void theTraceOfARefusedCallSaysWhoRefusedIt() throws IOException {
        try (RunningApplication shop = RunningApplication.start(Observed.class, config(TWO_PRODUCTS))) {
            for (int i = 0; i < 3; i++) {
                shop.get("/product/1");
            }
            List<Observation.Context> requests = shop.bean(Observed.class).requests;
            Eventually.await("three requests", () -> requests.size() == 3);
            assertThat(requests)
                    .extracting(request -> request.getHighCardinalityKeyValue("sluice.endpoint"))
                    .containsExactly(null, null, KeyValue.of("sluice.endpoint", "product"));
        }
    }

    @Test
    void theFileBesideTheApplicationNeedsNoProperty() {
        try (RunningApplication shop = RunningApplication.start(Shop.class)) {
            assertThat(shop.get("/product/1").headers().firstValue("x-ratelimit-limit"))
                    .hasValue("1000");
        }
    }

    @Test
    void limitsMayBeProperties() throws IOException {
        Path file = Files.writeString(directory.resolve("shop.yml"), """
            sluice:
              limits:
                subjects: { buyer: [ "header:X-Buyer" ] }
                endpoints:
                  - id: product
                    methods: [ GET ]
                    pathPattern: "/product/{number}"
                    per: [ buyer ]
                    tiers: [ { period: "${the.period:1d}", threshold: 7 } ]
                  - { id: everybody, pathPattern: /**, per: [], tiers: [ { period: 1d, threshold: 9000 } ] }
            """);
        try (RunningApplication shop = RunningApplication.start(Shop.class, "spring.config.import=file:" + file)) {
            assertThat(shop.get("/product/1", "X-Buyer", "ann").headers().firstValue("x-ratelimit-remaining"))
                    .hasValue("6");
            assertThat(shop.get("/product/1", "X-Buyer", "bob").headers().firstValue("x-ratelimit-remaining"))
                    .hasValue("6");
            assertThat(shop.get("/other").headers().firstValue("x-ratelimit-remaining"))
                    .hasValue("8997");
        }
    }

    @Test
    void theFactoryFileNamesTheAnalyzer() throws IOException {
        Throwable failure = catchThrowable(() -> RunningApplication.start(Shop.class, config("- id: x\n")));
        var analysis = new LimitsFailureAnalyzer().analyze(failure);
        assertThat(analysis.getDescription())
                .startsWith("The limits cannot be used:")
                .contains("limits.yml:1:3 endpoints[0]", "pathPattern");
        assertThat(analysis.getAction()).contains("2 mistakes", "sluice.enabled=false");
        assertThat(getClass().getResourceAsStream("/META-INF/spring.factories"))
                .asString(StandardCharsets.UTF_8)
                .contains("FailureAnalyzer=" + LimitsFailureAnalyzer.class.getName());
    }

    @Test
    void mistakesInPropertiesAreReportedWithTheirPlaces() throws IOException {
        Path file = Files.writeString(directory.resolve("shop.yml"), """
            sluice:
              limits:
                - id: product
                  pathPattern: /product/*
                  tiers: [ { period: 10 mins, threshold: 7 } ]
                  mode: @
            """.replace("@", "x".repeat(20_000)));
        Throwable failure =
                catchThrowable(() -> RunningApplication.start(Shop.class, "spring.config.import=file:" + file));
        assertThat(new LimitsFailureAnalyzer().analyze(failure).getDescription())
                .contains(
                        "shop.yml:5:26 sluice.limits[0].tiers[0].period: \"10 mins\" is not a duration",
                        "shop.yml:6:13 sluice.limits[0].mode: expected a text of at most 16384 characters");
    }

    @Test
    void warningsAreShownBesideMistakesButAreNotCounted() throws IOException {
        Throwable failure = catchThrowable(() -> RunningApplication.start(Shop.class, config("""
            - id: product
              pathPattern: /product/*
              tiers: [ { period: 60000, threshold: many } ]
            """)));
        var analysis = new LimitsFailureAnalyzer().analyze(failure);
        assertThat(analysis.getDescription())
                .containsPattern("\\n    warning: \\S+limits.yml:3:22 endpoints\\[0].tiers\\[0].period: ")
                .containsPattern("\\n    \\S+limits.yml:3:40 endpoints\\[0].tiers\\[0].threshold: ");
        assertThat(analysis.getAction()).startsWith("Correct this;");
    }

    private String inYaml(String properties) throws IOException {
        return "spring.config.import=file:" + Files.writeString(directory.resolve("shop.yml"), properties);
    }

    @Test
    void valuesMeanTheSameInPropertiesAndInTheFile() throws IOException {
        String yaml = """
            sluice:
              limits:
                - { id: paused, mode: off, pathPattern: /paused, tiers: [ { period: 1d, threshold: 7 } ] }
                - id: product
                  pathPattern: /product/*
                  when: { country: [ NO, FR ] }
                  tiers: [ { period: 1d, threshold: 7 } ]
            """;
        try (RunningApplication shop = RunningApplication.start(Shop.class, inYaml(yaml))) {
            assertThat(shop.get("/product/1", "CF-IPCountry", "NO").headers().firstValue("x-ratelimit-limit"))
                    .hasValue("7");
            assertThat(shop.get("/paused").headers().firstValue("x-ratelimit-limit"))
                    .isEmpty();
        }
        Throwable failure = catchThrowable(() ->
                RunningApplication.start(Shop.class, inYaml(yaml.replaceFirst("threshold: 7", "threshold: 010"))));
        assertThat(new LimitsFailureAnalyzer().analyze(failure).getDescription())
                .contains("shop.yml:3:", "threshold", "010");
    }

    @Test
    void theNameOfAClientMayBeANumberOrABoolean() throws IOException {
        String yaml = """
            sluice:
              limits:
                clients:
                  - { tenant: "123", multiply: "2" }
                  - { tenant: [ "true", "null", "007" ], multiply: 3 }
                  - { tenant: "${nobody.sets:456}", multiply: "${nobody.sets:4}" }
                endpoints:
                  - { id: product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: "7" } ] }
            """;
        try (RunningApplication shop = RunningApplication.start(Shop.class, inYaml(yaml))) {
            assertThat(Stream.of("123", "true", "null", "007", "456", "other")
                            .map(tenant -> shop.get("/product/1", "X-Org-Id", tenant)
                                    .headers()
                                    .firstValue("x-ratelimit-limit")
                                    .orElse("none")))
                    .containsExactly("14", "21", "21", "21", "28", "7");
        }
        Throwable failure = catchThrowable(() ->
                RunningApplication.start(Shop.class, inYaml(yaml.replace("threshold: \"7\"", "threshold: \"-7\""))));
        assertThat(new LimitsFailureAnalyzer().analyze(failure).getDescription())
                .contains("endpoints[0].tiers[0].threshold: \"-7\" is out of range")
                .doesNotContain("${");
    }

    @Test
    void aMistakeThatMentionsAnotherPlaceMentionsAProperty() throws IOException {
        String yaml = """
            # limits of the shop
            sluice:
              limits:

                - { id: product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: 7 } ] }
                - { id: product, pathPattern: /other, tiers: [ { period: 1d, threshold: 7 } ] }
            """;
        Throwable failure = catchThrowable(() -> RunningApplication.start(Shop.class, inYaml(yaml)));
        assertThat(new LimitsFailureAnalyzer().analyze(failure).getDescription())
                .contains("shop.yml:6:", "\"product\" is already the id of the endpoint in line 5");
    }

    @Test
    void unknownPropertiesStopTheStart() throws IOException {
        String yaml = """
            sluice:
              stor: redis://cache:6379
              endpoints: [ { id: product } ]
            """;
        Throwable failure =
                catchThrowable(() -> RunningApplication.start(Shop.class, config(TWO_PRODUCTS), inYaml(yaml)));
        var analysis = new LimitsFailureAnalyzer().analyze(failure);
        assertThat(analysis.getDescription())
                .isEqualTo(
                        "The rate limiter does not know these properties:\n\n    shop.yml:3:22 sluice.endpoints[0].id\n"
                                + "    shop.yml:2:9 sluice.stor");
        assertThat(analysis.getAction()).contains("sluice.store", "belong below sluice.limits");
    }

    @Test
    void anIgnoredFileIsLogged(CapturedOutput output) throws IOException {
        String yaml = "sluice.limits: [ { id: all, pathPattern: /**, tiers: [ { period: 1d, threshold: 7 } ] } ]";
        try (RunningApplication shop = RunningApplication.start(Shop.class, inYaml(yaml))) {
            assertThat(shop.get("/product/1").headers().firstValue("x-ratelimit-limit"))
                    .hasValue("7");
            assertThat(output.getAll())
                    .containsOnlyOnce("The limits under sluice.limits are in force, and rate-limits.yml is ignored");
        }
    }

    @Test
    void unreportedLoginsAreLoggedOnce(CapturedOutput output) throws IOException {
        String limits = "- { id: logins, pathPattern: /product/*, count: { outcome: login-failure }, "
                + "tiers: [ { period: 1d, threshold: 9 } ] }";
        try (RunningApplication shop = RunningApplication.start(Shop.class, config(limits))) {
            RunningApplication.Caller caller = shop.caller();
            for (int i = 0; i < 110; i++) {
                assertThat(caller.get("/product/1").statusCode()).isEqualTo(200);
            }
            assertThat(output.getAll())
                    .containsOnlyOnce("The endpoint logins counts failed logins, but none of its first 100 calls");
        }
    }

    @Test
    void limitsInTwoPlacesStopTheStart() throws IOException {
        Throwable failure = catchThrowable(
                () -> RunningApplication.start(Shop.class, config(TWO_PRODUCTS), "sluice.limits[0].id=product"));
        var analysis = new LimitsFailureAnalyzer().analyze(failure);
        assertThat(analysis.getDescription()).contains("Both sluice.limits and sluice.config");
        assertThat(analysis.getAction()).isEqualTo("Remove one of the two.");
    }

    @Test
    void anInvalidStoreIsReportedAsAFailure() throws IOException {
        Throwable failure = catchThrowable(
                () -> RunningApplication.start(Shop.class, config(TWO_PRODUCTS), "sluice.store=cache:1"));
        assertThat(new LimitsFailureAnalyzer().analyze(failure).getDescription())
                .startsWith("The rate limiter cannot start: store uri does not begin with a scheme; write");
    }

    @Test
    void invalidValuesOfPropertiesAreReportedAsFailures() throws IOException {
        Throwable empty = catchThrowable(() -> RunningApplication.start(Shop.class, "sluice.config="));
        assertThat(new LimitsFailureAnalyzer().analyze(empty).getDescription()).isEqualTo("sluice.config is empty.");
        Throwable negative = catchThrowable(
                () -> RunningApplication.start(Shop.class, config(TWO_PRODUCTS), "sluice.metrics.clients=-1"));
        assertThat(new LimitsFailureAnalyzer().analyze(negative).getDescription())
                .isEqualTo("sluice.metrics.clients -1 is out of range; expected 0 to 1000.");
    }

    @Test
    void nothingIsLimitedIfLimitsAreDisabled() throws IOException {
        try (RunningApplication shop =
                RunningApplication.start(Shop.class, config(TWO_PRODUCTS), "sluice.enabled=false")) {
            assertThat(shop.get("/product/1").headers().firstValue("x-ratelimit-limit"))
                    .isEmpty();
            assertThat(shop.context().getBeansOfType(Sluice.class)).isEmpty();
        }
    }

    /** Counts events. */
    static final class Told implements RateLimitListener {

        private final AtomicInteger decisions = new AtomicInteger();

        @Override
        public void onDecision(Call call, Decision decision) {
            decisions.incrementAndGet();
        }
    }

    /** Beans that a limiter uses. */
    @Import(Shop.class)
    static class WithBeans {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean("api-key-owner")
        SubjectResolver owner() {
            return call -> call.header("X-Key");
        }

        @Bean("by-weight")
        CostResolver weight() {
            return call -> 3;
        }

        @Bean
        RefusalHandler refusals() {
            return (request, response, decision) -> response.getWriter().print("not now");
        }

        @Bean
        Told told() {
            return new Told();
        }
    }

    @Test
    void beansOfTheApplicationAreUsed() throws IOException {
        String limits = """
            - id: product
              pathPattern: /product/*
              per: [ api-key-owner ]
              cost: by-weight
              tiers: [ { period: 1d, threshold: 3 } ]
            """;
        try (RunningApplication shop = RunningApplication.start(WithBeans.class, config(limits))) {
            assertThat(shop.get("/product/1", "X-Key", "ann").headers().firstValue("x-ratelimit-remaining"))
                    .hasValue("0");
            assertThat(shop.get("/product/1", "X-Key", "ann").body()).isEqualTo("not now");
            assertThat(shop.get("/product/1", "X-Key", "bob").statusCode()).isEqualTo(200);
            assertThat(shop.bean(Told.class).decisions).hasValue(3);
            assertThat(shop.bean(MeterRegistry.class)
                            .get("sluice.decisions")
                            .tag("endpoint", "product")
                            .counters())
                    .isNotEmpty();
        }
    }

    /** An application that registers the filter itself. */
    @Import(Shop.class)
    static class ByHand {

        @Bean
        Sluice limits() {
            return Sluice.open("classpath:dev/sluice/spring/by-hand.yml");
        }

        @Bean
        FilterRegistrationBean<RateLimitFilter> filter(Sluice limits) {
            return new FilterRegistrationBean<>(new RateLimitFilter(limits));
        }
    }

    @Test
    void aFilterOfTheApplicationIsNotRegisteredAgain() throws IOException {
        try (RunningApplication shop = RunningApplication.start(ByHand.class, config(TWO_PRODUCTS))) {
            assertThat(shop.get("/product/1").headers().allValues("x-ratelimit-remaining"))
                    .containsExactly("41");
            assertThat(shop.context()
                            .getBeansOfType(FilterRegistrationBean.class)
                            .keySet())
                    .doesNotContain("dev.sluice.filter");
        }
    }
}

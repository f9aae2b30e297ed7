package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.Eventually;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ConfigSource;
import dev.sluice.servlet.RefusalHandler;
import dev.sluice.spring.start.LimitsFailureAnalyzer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Beans of an application next to those of the limiter. */
@Timeout(300)
@Tag("server")
class ApplicationBeansTest {

    private static final String[] REGISTRIES_COMBINED = {
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
        "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
    };

    private static final String NINE =
            "- { id: all, pathPattern: /**, per: [ tenant ], tiers: [ { period: 1d, threshold: 9 } ] }";

    private static String limit(RunningApplication shop, String tenant) {
        return shop.get("/product/1", "X-Org-Id", tenant)
                .headers()
                .firstValue("x-ratelimit-limit")
                .orElse("none");
    }

    /** An application with its own sources of limits. */
    @Import(Shop.class)
    static class OwnSources {

        @Bean
        ConfigSource limits() {
            return new ConfigSource() {
                @Override
                public String name() {
                    return "limits of the shop";
                }

                @Override
                public byte[] read() {
                    return NINE.getBytes(StandardCharsets.UTF_8);
                }
            };
        }

        @Bean
        ClientOverrideSource clients() {
            return new ClientOverrideSource() {
                @Override
                public CompletionStage<Optional<Overrides>> changedSince(String version) {
                    var acme = new ClientOverride("tenant", "acme", "all", "90/1d");
                    return CompletableFuture.completedFuture(Optional.of(new Overrides("1", List.of(acme))));
                }
            };
        }
    }

    @Test
    void limitsComeFromTheApplicationsOwnSources() {
        try (RunningApplication shop = RunningApplication.start(OwnSources.class)) {
            assertThat(limit(shop, "other")).isEqualTo("9");
            Eventually.await("90 for acme", () -> limit(shop, "acme").equals("90"));
        }
    }

    /** An application with two handlers, neither primary. */
    @Import(Shop.class)
    static class TwoHandlers {

        @Bean
        RefusalHandler brief() {
            return (request, response, decision) -> response.setStatus(429);
        }

        @Bean
        RefusalHandler polite() {
            return (request, response, decision) -> response.getWriter().print("please come again");
        }
    }

    @Test
    void doesNotGuessOneOfTwoRefusalHandlers() {
        Throwable failure = catchThrowable(() -> RunningApplication.start(TwoHandlers.class));
        var analysis = new LimitsFailureAnalyzer().analyze(failure);
        assertThat(analysis.getDescription())
                .isEqualTo("The rate limiter can use only one RefusalHandler, but the application has several: brief, "
                        + "polite.");
        assertThat(analysis.getAction()).isEqualTo("Mark one of them @Primary.");
    }

    @Test
    void beanNamesDoNotCollide() {
        try (RunningApplication shop =
                RunningApplication.start(SecuredShops.Form.class, "management.endpoints.web.exposure.include=*")) {
            var beans = shop.context().getBeanFactory();
            Stream<String> ours = Stream.of(beans.getBeanDefinitionNames())
                    .filter(name -> isOurs(beans.getBeanDefinition(name)))
                    .filter(name -> !name.equals("sluiceHealthIndicator")); // gives the health its name
            assertThat(ours)
                    .contains("dev.sluice.internal.limiter", "dev.sluice.filter")
                    .allMatch(name -> name.matches("(sluice-)?dev\\.sluice\\..*"));
        }
    }

    private static boolean isOurs(BeanDefinition bean) {
        return Stream.of(bean.getBeanClassName(), bean.getFactoryBeanName())
                .anyMatch(name -> name != null && name.startsWith("dev.sluice.") && !name.contains("Shops"));
    }

    /** Answers that make the container dispatch the request again. */
    @Import(Shop.class)
    @RestController
    static class SlowShop {

        @GetMapping("/slow")
        Callable<String> slow() {
            return () -> "slow";
        }

        @GetMapping("/fails")
        String fails() {
            throw new IllegalStateException("meant to fail");
        }
    }

    @Test
    void aRequestIsCountedOnceHoweverOftenItIsDispatched() {
        try (RunningApplication shop = RunningApplication.start(
                SlowShop.class,
                "sluice.limits[0].id=all",
                "sluice.limits[0].pathPattern=/**",
                "sluice.limits[0].tiers[0].period=1d",
                "sluice.limits[0].tiers[0].threshold=9")) {
            var failed = shop.get("/fails");
            assertThat(failed.statusCode()).isEqualTo(500);
            assertThat(failed.headers().allValues("x-ratelimit-remaining")).containsExactly("8");
            var slow = shop.get("/slow");
            assertThat(slow.body()).isEqualTo("slow");
            assertThat(slow.headers().allValues("x-ratelimit-remaining")).containsExactly("7");
        }
    }

    @Test
    void pathsInPropertiesMayBeSeveralAndExcepted() {
        try (RunningApplication shop = RunningApplication.start(
                SlowShop.class,
                "sluice.limits[0].id=some",
                "sluice.limits[0].pathPattern[0]=/f*",
                "sluice.limits[0].pathPattern[1]=/slow",
                "sluice.limits[0].except[0]=/fails",
                "sluice.limits[0].tiers[0].period=1d",
                "sluice.limits[0].tiers[0].threshold=9")) {
            assertThat(shop.get("/fails").headers().allValues("x-ratelimit-remaining"))
                    .isEmpty();
            assertThat(shop.get("/found").headers().allValues("x-ratelimit-remaining"))
                    .containsExactly("8");
            assertThat(shop.get("/slow").headers().allValues("x-ratelimit-remaining"))
                    .containsExactly("7");
        }
    }

    /**
     * An application with two registries, neither primary, and without the actuator's registry that would combine them.
     */
    @Import(Shop.class)
    static class TwoRegistries {

        @Bean
        MeterRegistry fast() {
            return new SimpleMeterRegistry();
        }

        @Bean
        MeterRegistry slow() {
            return new SimpleMeterRegistry();
        }
    }

    @Test
    void doesNotGuessOneOfTwoRegistries() {
        Throwable failure = catchThrowable(() -> RunningApplication.start(
                TwoRegistries.class,
                "spring.autoconfigure.exclude="
                        + String.join(
                                ",",
                                Stream.of(REGISTRIES_COMBINED)
                                        .filter(name -> ClassUtils.isPresent(name, null))
                                        .toList())));
        assertThat(new LimitsFailureAnalyzer().analyze(failure).getDescription())
                .startsWith("The rate limiter can use only one MeterRegistry, but the application has several: "
                        + "fast, slow");
    }
}

package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** A filter of the application with its own limiter, next to the auto-configured one. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class OwnFilterTest {

    private static final String OWN = "classpath:dev/sluice/spring/by-hand.yml";

    private static final String IDLE =
            "are not enforced: the RateLimitFilter of this application uses a different limiter";

    private static final String TWICE = "is counted twice";

    @TempDir
    private Path directory;

    private String config() throws IOException {
        return "sluice.config="
                + Files.writeString(
                        directory.resolve("limits.yml"),
                        "- { id: product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: 9 } ] }");
    }

    private static String limit(RunningApplication.Caller caller) {
        return caller.get("/product/1")
                .headers()
                .firstValue("x-ratelimit-limit")
                .orElse("none");
    }

    /** A filter whose limiter is no bean. */
    @Import(Shop.class)
    static class OwnLimiter {

        private final Sluice own = Sluice.open(OWN);

        @Bean
        RateLimitFilter filter() {
            return new RateLimitFilter(own);
        }

        @PreDestroy
        void close() {
            own.close();
        }
    }

    @Test
    void aLimiterThatNoFilterAsksIsLoggedOnce(CapturedOutput output) throws IOException {
        try (RunningApplication shop = RunningApplication.start(OwnLimiter.class, config())) {
            assertThat(limit(shop.caller())).isEqualTo("42");
            assertThat(output.getAll())
                    .containsOnlyOnce(IDLE + ", with the limits in " + OWN)
                    .containsPattern("The limits in \\S+limits.yml " + IDLE);
        }
    }

    @Test
    void nothingIsLoggedIfTheFilterIsDisabled(CapturedOutput output) throws IOException {
        try (RunningApplication shop =
                RunningApplication.start(OwnLimiter.class, config(), "sluice.filter.enabled=false")) {
            assertThat(limit(shop.caller())).isEqualTo("42");
            assertThat(output.getAll()).doesNotContain(IDLE);
        }
    }

    /** A filter that asks the bean. */
    @Import(Shop.class)
    static class AsksTheBean {

        @Bean
        FilterRegistrationBean<RateLimitFilter> filter(Sluice sluice) {
            return new FilterRegistrationBean<>(new RateLimitFilter(sluice));
        }
    }

    @Test
    void nothingIsLoggedIfTheFilterAsksTheBean(CapturedOutput output) throws IOException {
        try (RunningApplication shop = RunningApplication.start(AsksTheBean.class, config())) {
            assertThat(limit(shop.caller())).isEqualTo("9");
            assertThat(output.getAll()).doesNotContain(IDLE, TWICE);
        }
    }

    /** A filter that the auto-configuration does not recognise, with Spring Security. */
    @Import(SecuredShops.Form.class)
    static class Unrecognised {

        private final Sluice own = Sluice.open(OWN);

        @Bean
        FilterRegistrationBean<Filter> filter() {
            return new FilterRegistrationBean<>(new RateLimitFilter(own));
        }

        @PreDestroy
        void close() {
            own.close();
        }
    }

    @Test
    void twoLimitersAreLoggedOnceEvenIfOneHasTwoFilters(CapturedOutput output) throws IOException {
        try (RunningApplication shop = RunningApplication.start(Unrecognised.class, config())) {
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(302);
            assertThat(output.getAll()).containsOnlyOnce(TWICE).contains("Both limit product, so");
        }
    }
}

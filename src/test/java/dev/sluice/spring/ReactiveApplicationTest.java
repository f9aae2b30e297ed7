package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** An application of WebFlux is told that its limits are not in force. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
class ReactiveApplicationTest {

    private static final String NOT_IN_FORCE = "are not in force, and no call is counted or refused";

    /** Of Spring Boot 4 and 3: the shop has no users. */
    private static final String WITHOUT_SECURITY = "spring.autoconfigure.exclude="
            + "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.reactive"
            + ".ReactiveManagementWebSecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.actuate.autoconfigure.security.reactive"
            + ".ReactiveManagementWebSecurityAutoConfiguration";

    @TempDir
    private Path directory;

    private String config;

    @BeforeEach
    void write() throws IOException {
        config = "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), """
                - { id: product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: 1 } ] }
                """);
    }

    @Test
    void itsLimitsAreNotInForceWhichIsSaidOnce(CapturedOutput output) {
        try (RunningApplication shop = RunningApplication.startReactive(Shop.class, WITHOUT_SECURITY, config)) {
            for (int i = 0; i < 3; i++) {
                assertThat(shop.get("/product/1").body()).isEqualTo("product 1");
            }
            assertThat(output.getAll()).containsOnlyOnce("limits.yml " + NOT_IN_FORCE);
        }
    }

    @Test
    void nothingIsSaidIfThatIsWanted(CapturedOutput output) {
        try (RunningApplication shop =
                RunningApplication.startReactive(Shop.class, WITHOUT_SECURITY, config, "sluice.enabled=false")) {
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(200);
            assertThat(output.getAll()).doesNotContain(NOT_IN_FORCE);
        }
    }

    /** An application with a limiter of its own. */
    @Import(Shop.class)
    static class WithItsOwn {

        @Bean
        Sluice limits() {
            return Sluice.open("classpath:dev/sluice/spring/by-hand.yml");
        }
    }

    @Test
    void oneThatHasALimiterIsTakenToAskIt(CapturedOutput output) {
        try (RunningApplication shop = RunningApplication.startReactive(WithItsOwn.class, WITHOUT_SECURITY, config)) {
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(200);
            assertThat(output.getAll()).doesNotContain(NOT_IN_FORCE);
        }
    }
}

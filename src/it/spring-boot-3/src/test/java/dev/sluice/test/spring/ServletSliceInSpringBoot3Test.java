package dev.sluice.test.spring;

import static dev.sluice.test.LimitsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.test.HandSetClock;
import dev.sluice.test.LimitsUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;

@WebMvcTest(
        value = LoginApplication.class,
        excludeAutoConfiguration = {
            SecurityAutoConfiguration.class,
            SecurityFilterAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class
        })
@TestPropertySource(properties = "sluice.config=classpath:dev/sluice/test/rate-limits.yml")
@AutoConfigureSluice
class ServletSliceInSpringBoot3Test {

    private static final String CALLER = "ip=127.0.0.1";

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private LimitsUnderTest limits;

    private MockMvcRequestBuilder login() {
        return mvc.post().uri("/login");
    }

    @RepeatedTest(3)
    void eachTestBeginsAnew() {
        assertThat(limits.clock().instant()).isEqualTo(HandSetClock.START);
        assertThat(limits).refusedNobody().hasRemaining(2, "login", CALLER);
        assertThat(login()).hasStatusOk().hasHeader("x-ratelimit-remaining", "1");
        assertThat(login()).hasStatusOk();
        assertThat(login()).hasStatus(429).hasHeader("Retry-After", "60");
        assertThat(limits).refusedTimes(1, "login", CALLER).refuses("login", CALLER);

        limits.clock().advance(Duration.ofMinutes(1));
        assertThat(login()).hasStatusOk();
    }

    @Test
    void anExhaustedCallerIsRefused() {
        limits.exhaust("login", CALLER);
        assertThat(login()).hasStatus(429);
        assertThat(login().remoteAddress("192.0.2.2")).hasStatusOk();
    }

    @Nested
    class InAClassWithin {

        @RepeatedTest(2)
        void limitsAreResetToo() {
            assertThat(limits).hasRemaining(2, "login", CALLER);
            assertThat(login()).hasStatusOk();
        }
    }
}

package dev.sluice.test.spring;

import static dev.sluice.test.LimitsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.RateLimitedException;
import dev.sluice.test.HandSetClock;
import dev.sluice.test.LimitsUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;

@WebMvcTest(LoginApplication.class)
@TestPropertySource(properties = "sluice.config=classpath:dev/sluice/test/epoch.yml")
@Import(Mailer.class)
@AutoConfigureSluice
@Tag("server")
class ServletSliceTest {

    private static final String CALLER = "ip=127.0.0.1";

    private static final String END_OF_WINDOW =
            String.valueOf(HandSetClock.START.plusSeconds(60).getEpochSecond());

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private LimitsUnderTest limits;

    @Autowired
    private Mailer mailer;

    @Test
    void methodsAreLimitedToo() {
        limits.exhaust("mail", "argument:to=ann");
        assertThatThrownBy(() -> mailer.mail("ann")).isInstanceOf(RateLimitedException.class);
        assertThatCode(() -> mailer.mail("bob")).doesNotThrowAnyException();
    }

    private MockMvcRequestBuilder login() {
        return mvc.post().uri("/login");
    }

    @RepeatedTest(3)
    void eachTestBeginsAnew() {
        assertThat(limits.clock().instant()).isEqualTo(HandSetClock.START);
        assertThat(limits).refusedNobody().hasRemaining(2, "login", CALLER);
        assertThat(login())
                .hasStatusOk()
                .hasHeader("x-ratelimit-remaining", "1")
                .hasHeader("x-ratelimit-reset", END_OF_WINDOW);
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

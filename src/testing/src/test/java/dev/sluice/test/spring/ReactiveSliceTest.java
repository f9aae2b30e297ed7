package dev.sluice.test.spring;

import static dev.sluice.test.LimitsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.RateLimitedException;
import dev.sluice.test.HandSetClock;
import dev.sluice.test.LimitsUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.StatusAssertions;
import org.springframework.test.web.reactive.server.WebTestClient;

@WebFluxTest(LoginApplication.class)
@TestPropertySource(properties = "sluice.config=classpath:dev/sluice/test/reactive.yml")
@Import(Mailer.class)
@AutoConfigureSluice
@Tag("server")
class ReactiveSliceTest {

    @Autowired
    private WebTestClient client;

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

    private StatusAssertions login(String tenant) {
        return client.post().uri("/login").header("X-Org-Id", tenant).exchange().expectStatus();
    }

    @RepeatedTest(3)
    void eachTestBeginsAnew() {
        assertThat(limits).refusedNobody().hasRemaining(2, "login", "tenant=acme");
        login("acme")
                .isOk()
                .expectHeader()
                .valueEquals(
                        "x-ratelimit-reset", HandSetClock.START.plusSeconds(60).getEpochSecond());
        login("acme").isOk();
        login("acme").isEqualTo(429);
        assertThat(limits).refusedTimes(1, "login", "tenant=acme").admits("login", "tenant=umbrella");

        limits.exhaust("login", "tenant=umbrella");
        login("umbrella").isEqualTo(429);
        limits.clock().advance(Duration.ofMinutes(1));
        login("umbrella").isOk();
    }
}

package dev.sluice.cli.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Charge;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class SandboxServerTest {

    private static final Endpoint PACED = TestLimits.endpoint(
            "paced",
            "/**",
            new Tier("paced", new Limit.LeakyBucket(10, Duration.ofSeconds(1), 3, Duration.ofSeconds(1))));

    /** A queued call, and how it ended. */
    private record Queued(List<Integer> ended) implements Ticket {

        @Override
        public long delayMillis() {
            return 50;
        }

        @Override
        public Charge charge(long amount) {
            return Charge.NOT_COUNTED;
        }

        @Override
        public boolean settle(long actual) {
            return false;
        }

        @Override
        public void ended(int status) {
            ended.add(status);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a",
                "/a/b?status=401",
                "/a?delay=10ms&status=503",
                "/a%2fb",
                "//a//b",
                "/a;v=1/b",
                "/a/../b",
                "/a\\b",
                "/%25",
                "/%5c",
                "/%ff",
                "/[x]|{y}",
                "/a/"
            })
    void answersAQueuedCallLikeAnyOther(String target) throws Exception {
        List<Integer> ended = Collections.synchronizedList(new ArrayList<>());
        Decision queued =
                new Decision(Outcome.ADMITTED, PACED, PACED.tiers().get(0), List.of(), 1, 100, 0, new Queued(ended));
        String late = answer(queued, target);
        assertThat(late).isEqualTo(answer(queued.withTicket(null), target)).contains("x-ratelimit-remaining: 1");
        assertThat(ended).containsExactly(Integer.parseInt(late.substring(9, 12)));
    }

    private static String answer(Decision decision, String target) throws Exception {
        try (SandboxServer sandbox =
                new SandboxServer(new RateLimitFilter(call -> decision), List.of(), new SandboxServlet())) {
            return sandbox.answer("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .replaceAll("(?m)^Date: .*$", "");
        }
    }
}

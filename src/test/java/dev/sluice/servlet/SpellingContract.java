package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.TestLimits;
import dev.sluice.limiter.CountingRateLimiter;
import dev.sluice.servlet.Application.Leniency;
import dev.sluice.servlet.RawHttp.Answer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However a caller spells a path: if the application takes the call for one to {@code /login}, it was counted as one. Whether
 * the application does is the container's business, and differs; that nothing slips past is ours.
 */
abstract class SpellingContract {

    private final WebServer.Make make;
    private final Set<String> counted = new CopyOnWriteArraySet<>();

    SpellingContract(WebServer.Make make) {
        this.make = make;
    }

    @ParameterizedTest
    @EnumSource
    void nothingSlipsPastALimitAtTheRoot(Leniency leniency) throws Exception {
        assertNothingSlipsPast("", leniency, Spellings.PATHS);
    }

    @ParameterizedTest
    @EnumSource
    void nothingSlipsPastALimitBehindAContextPath(Leniency leniency) throws Exception {
        List<String> targets = new ArrayList<>();
        Spellings.CONTEXTS.forEach(context -> Spellings.BEHIND_CONTEXT.forEach(path -> targets.add(context + path)));
        Spellings.PATHS.stream().filter(path -> !path.contains("://")).forEach(path -> targets.add("/app" + path));
        assertNothingSlipsPast("/app", leniency, targets);
    }

    private void assertNothingSlipsPast(String contextPath, Leniency leniency, List<String> targets) throws Exception {
        List<String> slipped = new ArrayList<>();
        int served = 0;
        try (CountingRateLimiter login = limiter("login", "/login");
                CountingRateLimiter api = limiter("api", "/api/**");
                WebServer server = start(contextPath, leniency, login, api)) {
            for (String target : targets) {
                counted.clear();
                Answer answer = RawHttp.get(server, target);
                String servedAs = String.join(",", answer.headers(ServedPaths.SERVED));
                boolean limited = servedAs.equals("login") || servedAs.equals("api");
                served += limited ? 1 : 0;
                if (limited && !counted.contains(servedAs)) {
                    slipped.add(target + " was served as " + servedAs);
                }
            }
        }
        assertThat(slipped).isEmpty();
        assertThat(served).as("calls that reached what is limited").isGreaterThan(20);
    }

    private WebServer start(String contextPath, Leniency leniency, RateLimiter login, RateLimiter api)
            throws Exception {
        RateLimiter both = call -> {
            Decision first = decide(login, "login", call);
            Decision second = decide(api, "api", call);
            return first.outcome() == Decision.Outcome.UNLIMITED ? second : first;
        };
        return make.start(Application.at(contextPath, (classes, context) -> {
                    context.addFilter("limits", new RateLimitFilter(both)).addMappingForUrlPatterns(null, true, "/*");
                    ServedPaths.addTo(context);
                })
                .with(leniency));
    }

    private Decision decide(RateLimiter limiter, String id, Call call) {
        Decision decision = limiter.decide(call);
        if (decision.outcome() != Decision.Outcome.UNLIMITED) {
            counted.add(id);
        }
        return decision;
    }

    private static CountingRateLimiter limiter(String id, String pattern) {
        return new CountingRateLimiter(
                TestLimits.of(TestLimits.endpoint(id, pattern, TestLimits.tier(1_000_000, Duration.ofHours(1)))),
                InstantSource.system(),
                RateLimitListener.NONE);
    }
}

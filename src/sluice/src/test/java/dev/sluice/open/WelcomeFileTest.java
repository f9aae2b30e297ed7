package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.match.path.ForwardingCall;
import dev.sluice.limits.Explanation;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A path that ends with a slash counts as its welcome files, however it is spelt. */
class WelcomeFileTest {

    private final CountingRateLimiter limiter =
            new CountingRateLimiter(GivenFile.of("""
                subjects: { org: [ "path:org" ] }
                endpoints:
                  - { id: home, pathPattern: /index.html, per: [], tiers: [ { period: 1h, threshold: 9 } ] }
                  - { id: file, pathPattern: /dir/index.html, per: [], tiers: [ { period: 1h, threshold: 9 } ] }
                  - { id: some, pathPattern: /**/*.jsp, per: [], tiers: [ { period: 1h, threshold: 9 } ] }
                  - { id: org, pathPattern: "/orgs/{org}/index.htm", per: [ org ],
                      tiers: [ { period: 1h, threshold: 9 } ] }
                  - { id: product, pathPattern: "/product/{id}", per: [], tiers: [ { period: 1h, threshold: 9 } ] }
                  - { id: star, pathPattern: /product/*, per: [], tiers: [ { period: 1h, threshold: 9 } ] }
                """).load().limits(), new TestClock(0), RateLimitListener.NONE);

    @AfterEach
    void close() {
        limiter.close();
    }

    private List<String> endpoints(Call call) {
        return limiter.explain(call).stream()
                .map(Explanation::endpoint)
                .map(endpoint -> endpoint.id())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dir/",
                "/dir//",
                "/dir/;x",
                "/dir/;x/",
                "/dir/.",
                "/dir/%2e",
                "/dir/x/..",
                "/dir/x/%2e%2e",
                "/dir/x/..;y",
                "/%64ir/",
                "/dir%2f",
                "/dir%5c",
                "/dir\\",
                "/dir/%20",
                "/dir/%3bx",
                "/x/../dir/"
            })
    void countsForADirectory(String path) {
        assertThat(endpoints(TestCall.get(path))).contains("file", "some");
        assertThat(limiter.decide(TestCall.get(path)).endpoint()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dir", "/dir/x", "/dir;x", "/dir/x/"})
    void doesNotCountForAnotherPath(String path) {
        assertThat(endpoints(TestCall.get(path))).doesNotContain("file");
    }

    @Test
    void countsForTheHomePage() {
        assertThat(endpoints(TestCall.get("/"))).containsExactly("home", "some");
    }

    /** {@code *} stands for a segment, and this path has none. */
    @Test
    void isMeantByNoPatternThatDoesNotNameIt() {
        assertThat(endpoints(TestCall.get("/product/"))).containsExactly("some");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orgs/acme/", "/orgs/%61cme/;x"})
    void namesTheCallerWhomThePatternCaptures(String path) {
        assertThat(limiter.explain(TestCall.get(path)))
                .filteredOn(one -> one.endpoint().id().equals("org"))
                .singleElement()
                .satisfies(one -> assertThat(one.key().toString()).contains("acme"));
    }

    @Test
    void hasTheNameThatTheApplicationGives() {
        Call call = new ForwardingCall() {
            @Override
            public Call sent() {
                return TestCall.get("/dir/");
            }

            @Override
            public List<String> welcomeFiles() {
                return List.of("start.jsp");
            }
        };
        assertThat(endpoints(call)).containsExactly("some");
    }
}

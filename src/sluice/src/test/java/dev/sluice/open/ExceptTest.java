package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.match.path.ForwardingCall;
import dev.sluice.limits.Explanation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An endpoint may have several patterns with one count, and leave out some of their paths. */
class ExceptTest {

    private static final String ONE_CALL = "tiers: [ { period: 1h, threshold: 1 } ]";

    private static CountingRateLimiter limiter(String... endpoints) {
        return limiterOf("endpoints: [ " + String.join(", ", endpoints) + " ]");
    }

    private static CountingRateLimiter limiterOf(String file) {
        return new CountingRateLimiter(GivenFile.of(file).load().limits(), new TestClock(0), RateLimitListener.NONE);
    }

    private static String endpoint(String id, String keys) {
        return "{ id: " + id + ", per: [], " + keys + ", " + ONE_CALL + " }";
    }

    private static Outcome get(CountingRateLimiter limiter, String path) {
        return limiter.decide(TestCall.get(path)).outcome();
    }

    private static List<String> ids(CountingRateLimiter limiter, Call call) {
        return limiter.explain(call).stream()
                .map(Explanation::endpoint)
                .map(endpoint -> endpoint.id())
                .toList();
    }

    /** A call whose server reads another path. */
    private record ReadAs(Call sent, String other) implements ForwardingCall {

        @Override
        public @Nullable String otherPath() {
            return other;
        }
    }

    @Nested
    class SeveralPatterns {

        @Test
        void haveOneCount() {
            CountingRateLimiter limiter = limiter(endpoint("shop", "pathPattern: [ /search, /cart/** ]"));
            assertThat(get(limiter, "/cart/1")).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/search")).isEqualTo(Outcome.REFUSED);
            assertThat(get(limiter, "/product")).isEqualTo(Outcome.UNLIMITED);
        }

        @Test
        void countACallOnceThatSeveralMatch() {
            CountingRateLimiter limiter =
                    limiter("{ id: shop, per: [], pathPattern: [ /cart/**, /**/items, /cart/*/items ], "
                            + "tiers: [ { period: 1h, threshold: 2 } ] }");
            assertThat(limiter.decide(TestCall.get("/cart/1/items")).remaining())
                    .isEqualTo(1);
            assertThat(ids(limiter, TestCall.get("/cart/1/items"))).containsExactly("shop");
        }

        @Test
        void eachCaptureTheCaller() {
            CountingRateLimiter limiter = limiter("{ id: orgs, per: [ 'path:org' ], "
                    + "pathPattern: [ '/orgs/{org}/**', '/invoices/of/{org}' ], " + ONE_CALL + " }");
            assertThat(get(limiter, "/orgs/acme/x")).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/invoices/of/globex")).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/invoices/of/acme")).isEqualTo(Outcome.REFUSED);
        }

        /** Otherwise a call might choose whom it counts for. */
        @Test
        void ofWhichTheFirstDecidesWhoIsCalling() {
            CountingRateLimiter limiter = limiter("{ id: orgs, per: [ 'path:org' ], "
                    + "pathPattern: [ '/orgs/of/{org}/**', '/orgs/{org}/**' ], " + ONE_CALL + " }");
            assertThat(limiter.explain(TestCall.get("/orgs/of/acme/x")))
                    .extracting(one -> one.key().subjects().get(0).value())
                    .containsExactly("acme");
        }

        /** {@code /docs/*} is not meant for {@code /docs/}, though another pattern of the list names a file. */
        @Test
        void meetAWelcomeFileOnlyByThePatternThatNamesIt() {
            CountingRateLimiter limiter = limiter(endpoint("docs", "pathPattern: [ /docs/*, /help/index.html ]"));
            assertThat(ids(limiter, TestCall.get("/docs/"))).isEmpty();
            assertThat(ids(limiter, TestCall.get("/help/"))).containsExactly("docs");
        }
    }

    @Nested
    class Exceptions {

        private static final String BUT_STATIC = "pathPattern: /**, except: [ /webjars/**, /actuator/health ]";

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/webjars/jquery/jquery.js",
                    "/webjars",
                    "/webjars/",
                    "/actuator/health",
                    "/actuator/health/",
                    "/actuator/health;a=b",
                    "//actuator//health",
                    "/%77ebjars/x",
                    "/webjars/a/../b",
                    "/webjars/./x"
                })
        void takePathsOut(String path) {
            CountingRateLimiter limiter = limiter(endpoint("all", BUT_STATIC));
            assertThat(get(limiter, path)).isEqualTo(Outcome.UNLIMITED);
            assertThat(get(limiter, "/owners")).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/owners")).isEqualTo(Outcome.REFUSED);
            assertThat(get(limiter, path)).isEqualTo(Outcome.UNLIMITED);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/webjars/../login",
                    "/webjars/..%2flogin",
                    "/webjars%2f..%2flogin",
                    "/webjars/%2e%2e/login",
                    "/webjars/..;/login",
                    "/webjars/..;a=b/login",
                    "/webjars/;x/../../login",
                    "/webjars//../login",
                    "/webjars/..\\login",
                    "/webjars/..%5clogin",
                    "/webjars/%252e%252e/login",
                    "/webjars%3bx/../../login",
                    "/login/..;/webjars/x",
                    "/login/..%2fwebjars/x",
                    "/login/%2e%2e/webjars/x",
                    "/x%2f../actuator/health",
                    "/login%2factuator/health",
                    "/webjarsx",
                    "/WEBJARS/x",
                    "/actuator/health/liveness",
                    "/actuator/health%2f..%2fenv",
                    "/actuator/health.json"
                })
        void holdOnlyIfEveryReadingOfThePathIsExcepted(String path) {
            CountingRateLimiter limiter = limiter(endpoint("all", BUT_STATIC));
            assertThat(get(limiter, path)).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/owners")).isEqualTo(Outcome.REFUSED);
        }

        @Test
        void holdOnlyIfTheOtherPathIsExceptedToo() {
            CountingRateLimiter limiter = limiter(endpoint("all", BUT_STATIC));
            Call call = TestCall.get("/webjars/x");
            assertThat(ids(limiter, new ReadAs(call, "/webjars/y"))).isEmpty();
            assertThat(ids(limiter, new ReadAs(call, "/login"))).containsExactly("all");
        }

        @Test
        void coverADirectoryWithWhatItServes() {
            CountingRateLimiter limiter = limiter(endpoint("all", "pathPattern: /**, except: [ / ]"));
            assertThat(ids(limiter, TestCall.get("/"))).isEmpty();
            assertThat(ids(limiter, TestCall.get("/index.html"))).containsExactly("all");
        }

        @Test
        void doNotCoverAWelcomeFileThatAPatternNames() {
            CountingRateLimiter limiter =
                    limiter(endpoint("home", "pathPattern: [ /index.html, /shop/** ], except: [ /, /shop/help/** ]"));
            assertThat(ids(limiter, TestCall.get("/"))).containsExactly("home");
            assertThat(ids(limiter, TestCall.get("/shop/help/"))).isEmpty();
        }

        @Test
        void ofOneEndpointLeaveTheOthersAlone() {
            CountingRateLimiter limiter = limiter(
                    endpoint("all", BUT_STATIC),
                    endpoint("jars", "pathPattern: /webjars/**"),
                    endpoint("plain", "pathPattern: /**"));
            assertThat(ids(limiter, TestCall.get("/webjars/x"))).containsExactlyInAnyOrder("jars", "plain");
            assertThat(ids(limiter, TestCall.get("/login"))).containsExactlyInAnyOrder("all", "plain");
        }

        @Test
        void holdForAllMethods() {
            CountingRateLimiter limiter = limiter(endpoint("all", "methods: [ GET, POST ], " + BUT_STATIC));
            assertThat(ids(limiter, TestCall.get("/webjars/x"))).isEmpty();
            assertThat(ids(limiter, TestCall.post("/webjars/x"))).isEmpty();
            assertThat(ids(limiter, TestCall.post("/login"))).containsExactly("all");
        }

        @Test
        void ignoreCaseWhereTheFileDoes() {
            CountingRateLimiter limiter =
                    limiterOf("caseSensitive: false\nendpoints: [ " + endpoint("all", BUT_STATIC) + " ]");
            assertThat(ids(limiter, TestCall.get("/WebJars/x"))).isEmpty();
            assertThat(ids(limiter, TestCall.get("/x"))).containsExactly("all");
        }

        /** Nobody gets an uncounted call by naming a caller in a reading that is excepted. */
        @Test
        void countInEachReadingOfACallThatIsNotExcepted() {
            CountingRateLimiter limiter = limiter("{ id: orgs, per: [ 'path:org' ], pathPattern: '/orgs/{org}/**', "
                    + "except: [ /orgs/public/** ], " + ONE_CALL + " }");
            assertThat(get(limiter, "/orgs/public/x")).isEqualTo(Outcome.UNLIMITED);
            assertThat(get(limiter, "/orgs/public/..%2facme/x")).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/orgs/acme/x")).isEqualTo(Outcome.REFUSED);
        }

        @Test
        void holdForClientsWithLimitsOfTheirOwn() {
            CountingRateLimiter limiter =
                    limiterOf("clients: [ { tenant: acme, multiply: 2 } ]\nendpoints: [ { id: all, " + BUT_STATIC + ", "
                            + ONE_CALL + " } ]");
            Call acme = TestCall.get("/webjars/x").with("X-Org-Id", "acme");
            assertThat(ids(limiter, acme)).isEmpty();
            assertThat(limiter.decide(TestCall.get("/x").with("X-Org-Id", "acme"))
                            .limit())
                    .isEqualTo(2);
        }
    }
}

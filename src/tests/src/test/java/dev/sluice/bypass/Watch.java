package dev.sluice.bypass;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.ConfigSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of the limiter. It lets several limiters count each call, but refuses nothing. Each of them has one
 * endpoint with a limit of one call. Then it makes a plain call for the endpoint that the application has served. If
 * the limiter does not refuse that call, it had not counted the first one, which got around the limit.
 */
final class Watch implements RateLimiter, AutoCloseable {

    private static final Duration PERIOD = Duration.ofHours(1);
    private static final String TIERS = "tiers: [ { period: 1h, threshold: 1 } ]";
    private static final Map<String, String> FILES = Map.ofEntries(
            file("login", "{ pathPattern: /login, per: [] }"),
            file("login-get", "{ pathPattern: /login, per: [], methods: [ GET ] }"),
            file("login-post", "{ pathPattern: /login, per: [], methods: [ POST ] }"),
            file("api", "{ pathPattern: /api/**, per: [] }"),
            file("login-or-api", "{ pathPattern: [ /login, /api/** ], per: [] }"),
            file(
                    "all-but-static",
                    "{ pathPattern: /**, per: [], except: [ /static/**, /webjars/**, /actuator/health, /favicon.ico,"
                            + " '/*.css', /files/public/**, /orgs/public/**, /forward, /async ] }"),
            file("orgs", "{ pathPattern: '/orgs/{org}/**', per: [ 'path:org' ] }"),
            file("orgs-acme", "{ pathPattern: '/orgs/{org}/**', per: [], when: { 'path:org': [ acme ] } }"),
            Map.entry(
                    "orgs-but-friends",
                    "subjects: { org: [ 'path:org' ] }\nclients: [ { org: friend, exempt: true } ]\nendpoints:\n"
                            + "- { id: it, pathPattern: '/orgs/{org}/**', per: [ org ], " + TIERS + " }"),
            file("secret", "{ pathPattern: /files/secret.txt, per: [] }"),
            file("secret-below", "{ pathPattern: /files/sub/secret.txt, per: [] }"),
            file("user", "{ pathPattern: /**, per: [ 'query:user' ] }"),
            file("plan-free", "{ pathPattern: /**, per: [], when: { 'query:plan': free } }"),
            file("tenant", "{ pathPattern: /**, per: [ 'header:X-Org-Id' ] }"),
            file("visitor", "{ pathPattern: /**, per: [ 'cookie:visitor' ] }"),
            file("ip", "{ pathPattern: /**, per: [ ip ] }"));

    private final TestClock clock = new TestClock(0);
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<String, CountingRateLimiter> limiters = new LinkedHashMap<>();

    Watch() {
        FILES.forEach((name, text) -> limiters.put(
                name, new CountingRateLimiter(limits(name, text).limits(), clock, RateLimitListener.NONE)));
    }

    private static Map.Entry<String, String> file(String name, String endpoint) {
        return Map.entry(name, "- " + endpoint.replaceFirst("\\{", "{ id: it, " + TIERS + ","));
    }

    private static LimitsFile limits(String name, String text) {
        ConfigSource source = new ConfigSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public byte[] read() {
                return text.getBytes(StandardCharsets.UTF_8);
            }
        };
        return LimitsReader.read(source, Set.of());
    }

    /** Forgets all counted calls. */
    void beginAnew() {
        calls.set(0);
        clock.advance(PERIOD);
    }

    @Override
    public Decision decide(Call call) {
        calls.incrementAndGet();
        limiters.values().forEach(limiter -> limiter.decide(call));
        return Decision.UNLIMITED;
    }

    /** The number of counted calls. */
    int calls() {
        return calls.get();
    }

    @Override
    public ResponseOptions responses() {
        return ResponseOptions.DEFAULT;
    }

    /**
     * The name of a limiter that has not counted the call that the application has served; {@code null} if there is
     * none.
     */
    @Nullable String unaware(Set<String> served) {
        for (String one : served) {
            String limiter = unaware(one, served);
            if (limiter != null) {
                return limiter;
            }
        }
        return null;
    }

    private @Nullable String unaware(String served, Set<String> all) {
        int equals = served.indexOf('=');
        String value = served.substring(equals + 1);
        TestCall any = TestCall.get("/x");
        return switch (equals < 0 ? served : served.substring(0, equals)) {
            case "login" ->
                all.contains("method=GET") || all.contains("method=HEAD")
                        ? unaware(TestCall.get("/login"), "login", "login-or-api", "all-but-static", "login-get")
                        : all.contains("method=POST")
                                ? unaware(
                                        TestCall.post("/login"),
                                        "login",
                                        "login-or-api",
                                        "all-but-static",
                                        "login-post")
                                : unaware(TestCall.get("/login"), "login", "login-or-api", "all-but-static");
            case "api" -> unaware(TestCall.get("/api/x"), "api", "login-or-api", "all-but-static");
            case "org" -> unawareOfOrg(value);
            case "file" ->
                unaware(
                        TestCall.get(value),
                        value.startsWith("/files/sub/") ? "secret-below" : "secret",
                        "all-but-static");
            case "user" -> unaware(any.with("query:user", value), "user");
            case "plan" -> value.equals("free") ? unaware(any.with("query:plan", value), "plan-free") : null;
            case "tenant" -> unaware(any.with("X-Org-Id", value), "tenant");
            case "visitor" -> unaware(any.with("cookie:visitor", value), "visitor");
            case "method" -> unaware(any.from("127.0.0.1"), "ip");
            default -> throw new IllegalArgumentException(served);
        };
    }

    private @Nullable String unawareOfOrg(String org) {
        TestCall call = TestCall.get("/orgs/" + org + "/x");
        String unaware = org.equals("public") ? unaware(call, "orgs") : unaware(call, "orgs", "all-but-static");
        if (unaware == null && org.equals("acme")) {
            unaware = unaware(call, "orgs-acme");
        }
        return unaware == null && !org.equals("friend") ? unaware(call, "orgs-but-friends") : unaware;
    }

    private @Nullable String unaware(TestCall plain, String... names) {
        for (String name : names) {
            CountingRateLimiter limiter = limiters.get(name);
            if (limiter == null || limiter.decide(plain).outcome() != Outcome.REFUSED) {
                return name;
            }
        }
        return null;
    }

    @Override
    public void close() {
        limiters.values().forEach(CountingRateLimiter::close);
    }
}

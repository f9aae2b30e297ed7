package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.LimitsException;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.config.file.LoadContext;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.match.caller.CallerWarnings;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is limited and when, from the text of the file to the decision; each line is one request. */
class WhoIsLimitedTest {

    private static final String WEDNESDAY_NOON = "2026-01-14T12:00:00Z";

    /** A file with one endpoint that lets one call pass. */
    private static String file(String keysOfFile, String keysOfEndpoint) {
        return keysOfFile + """

            endpoints:
              - id: shop
                pathPattern: "/shop/{org}"
                tiers: [ { period: 1d, threshold: 1 } ]
                %s
            """.formatted(keysOfEndpoint);
    }

    private static CountingRateLimiter limiter(String text, TestClock clock) {
        return new CountingRateLimiter(new GivenFile(text).load("plan").limits(), clock, RateLimitListener.NONE);
    }

    /**
     * A call from words such as {@code X-Org-Id=acme}; {@code ip=192.0.2.7} is its address and {@code path=b} its last
     * segment.
     */
    private static TestCall call(String words) {
        TestCall call = TestCall.get("/shop/a");
        for (String word : words.strip().split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                String name = word.substring(0, equals);
                String value = word.substring(equals + 1).replace('+', ' ');
                call = name.equals("ip")
                        ? call.from(value)
                        : name.equals("path")
                                ? new TestCall("GET", "/shop/" + value, call.ip(), call.headers())
                                : call.with(name, value);
            }
        }
        return call;
    }

    private static String who(Decision decision) {
        return decision.subjects().stream()
                .map(subject -> subject.source().equals(Subject.NONE)
                        ? subject.name() + " none"
                        : subject.name() + " " + subject.value())
                .collect(Collectors.joining(", "));
    }

    /** The first call with a forwarding header that is not trusted is reported; further ones are not. */
    private static void hearsOnce(String text) {
        RecordingLogger log = new RecordingLogger();
        LoadContext context = new LoadContext(
                "a-server", Map.of(), Map.of(), Variables.of(name -> null), new CallerWarningLog(log, "limits.yml"));
        LimitsFile read = LimitsReader.parse(SourceContent.of(new GivenFile(text)), context);
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(read.limits(), new TestClock(0), RateLimitListener.NONE)) {
            limiter.decide(call("ip=192.0.2.7"));
            assertThat(log.entries()).isEmpty();
            limiter.decide(call("ip=192.0.2.8 X-Forwarded-For=6.6.6.6"));
            assertThat(log.entries()).hasSize(1);
            limiter.decide(call("ip=192.0.2.9 Forwarded=for=6.6.6.6"));
            assertThat(log.entries()).hasSize(1);
        }
    }

    @Nested
    class Who {

        private static final String KEYS = """
            trustedProxies: [ 10.0.0.0/8 ]
            ipv6Prefix: 56
            subjects:
              user: [ principal, "cookie:visitor" ]
              client: [ "claim:client_id" ]
              organisation: [ "path:org" ]\
            """;

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "[ tenant ]              | X-Org-Id=acme                                    | tenant acme",
                    "[ tenant ]              | ip=192.0.2.7                                     | tenant 192.0.2.7",
                    "[ tenant ]              | X-Org-Id= ip=192.0.2.7                           | tenant 192.0.2.7",
                    "[ ip ]                  | ip=192.0.2.7 X-Forwarded-For=6.6.6.6             | ip 192.0.2.7",
                    "[ ip ]                  | ip=10.1.1.1 X-Forwarded-For=6.6.6.6,+203.0.113.9 | ip 203.0.113.9",
                    "[ ip ]                  | ip=10.1.1.1 Forwarded=for=203.0.113.9            | ip 203.0.113.9",
                    "[ ip ]                  | ip=10.1.1.1 X-Forwarded-For=garbage              | ip behind 10.1.1.1",
                    "[ ip ]                  | ip=::ffff:192.0.2.7                              | ip 192.0.2.7",
                    "[ ip ]                  | ip=64:ff9b::c000:207                             | ip 192.0.2.7",
                    "[ ip ]                  | ip=2001:db8:0:1ff:1:2:3:4                        | ip "
                            + "2001:db8:0:100::/56",
                    "[ ip ]                  | ip=fe80::1%eth0                                  | ip fe80::/56",
                    "[ tenant, user ]        | X-Org-Id=acme principal=ann                      | tenant acme, user "
                            + "ann",
                    "[ tenant, user ]        | X-Org-Id=acme cookie:visitor=v1                  | tenant acme, user v1",
                    "[ tenant, user ]        | X-Org-Id=acme                                    | tenant acme, user "
                            + "none",
                    "[ client ]              | claim:client_id=mobile-app                       | client mobile-app",
                    "[ client ]              | Authorization=Bearer+x                           | client none",
                    "[ \"claim:client_id\" ] | claim:client_id=web                              | claim:client_id web",
                    "[ organisation ]        | path=acme                                        | organisation acme",
                    "[ country ]             | CF-IPCountry=fr                                  | country FR",
                    "[ country ]             | CF-IPCountry=XX                                  | country none",
                    "[ country ]             | CF-IPCountry=FRA                                 | country none",
                    "[ session ]             | session=s1                                       | session s1",
                    "[ \"query:key\" ]       | query:key=k1                                     | query:key k1",
                    "[ \"attribute:plan\" ]  | attribute:plan=gold                              | attribute:plan gold",
                    "[ server ]              |                                                  | server this-server"
                })
        void isCounted(String per, String words, String expected) {
            String text = file(KEYS, "per: " + per);
            try (CountingRateLimiter limiter = limiter(text, new TestClock(0))) {
                Decision decision = limiter.decide(call(words == null ? "" : words));
                assertThat(decision.outcome()).isEqualTo(Outcome.ADMITTED);
                assertThat(who(decision)).isEqualTo(expected);
            }
        }

        /** The second of two calls is refused if, and only if, both have the same caller. */
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "[ ip ] | ip=192.0.2.7                    | ip=::ffff:192.0.2.7                   | same",
                    "[ ip ] | ip=192.0.2.7                    | ip=0:0:0:0:0:FFFF:C000:0207           | same",
                    "[ ip ] | ip=192.0.2.7                    | ip=64:ff9b::192.0.2.7                 | same",
                    "[ ip ] | ip=192.0.2.7                    | ip=10.1.1.1 X-Forwarded-For=192.0.2.7:99 | same",
                    "[ ip ] | ip=2001:db8::1                  | ip=2001:DB8:0:ff:ffff::               | same",
                    "[ ip ] | ip=2001:db8::1                  | ip=2001:db8:0:100::1                  | others",
                    "[ ip ] | ip=fe80::1%1                    | ip=fe80::1%eth7                       | same",
                    "[ ip ] | ip=192.0.2.7                    | ip=192.0.2.8                          | others",
                    "[ tenant ] | X-Org-Id=192.0.2.7          | ip=192.0.2.7                          | others",
                    "[ tenant, user ] | X-Org-Id=a principal=b | X-Org-Id=a principal=c               | others",
                    "[ tenant, user ] | X-Org-Id=a principal=b | X-Org-Id=b principal=b               | others",
                    "[ tenant, user ] | X-Org-Id=a            | X-Org-Id=a                            | same",
                    "[ tenant, user ] | X-Org-Id=a            | X-Org-Id=a principal=none             | others",
                    "[] | ip=192.0.2.7                        | ip=203.0.113.1 X-Org-Id=acme          | same",
                    "[ server ] | ip=192.0.2.7                | ip=203.0.113.1 X-Org-Id=acme          | same"
                })
        void isTheSame(String per, String first, String second, String expected) {
            String text = file(KEYS, "per: " + per);
            try (CountingRateLimiter limiter = limiter(text, new TestClock(0))) {
                assertThat(limiter.decide(call(first)).admitted()).isTrue();
                assertThat(limiter.decide(call(second)).admitted()).isEqualTo(expected.equals("others"));
            }
        }

        @Test
        void hearsOfCallsThatNobodyBelievesOnce() {
            hearsOnce(file("mode: enforce", "per: [ ip ]"));
        }
    }

    @Nested
    class When {

        private static final String KEYS = """
            trustedProxies: [ 10.0.0.0/8 ]
            subjects:
              user: [ principal ]
              plan: [ "attribute:plan", "header:X-Plan" ]\
            """;

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{ country: [ FR, DE ] }                     | CF-IPCountry=FR             | limited",
                    "{ country: [ FR, DE ] }                     | CF-IPCountry=de             | limited",
                    "{ country: [ FR, DE ] }                     | CF-IPCountry=US             | unlimited",
                    "{ country: [ FR, DE ] }                     |                             | unlimited",
                    "{ country: FR }                             | CF-IPCountry=FR             | limited",
                    "{ country: T1 }                             | CF-IPCountry=T1             | limited",
                    "{ country: absent }                         | CF-IPCountry=XX             | limited",
                    "{ country: absent }                         | CF-IPCountry=FR             | unlimited",
                    "{ country: present }                        | CF-IPCountry=FR             | limited",
                    "{ user: present }                           | principal=ann               | limited",
                    "{ user: present }                           |                             | unlimited",
                    "{ user: absent }                            |                             | limited",
                    "{ user: absent }                            | principal=ann               | unlimited",
                    "{ user: [ present ] }                       | principal=ann               | unlimited",
                    "{ user: [ present ] }                       | principal=present           | limited",
                    "{ tenant: acme }                            | X-Org-Id=acme               | limited",
                    "{ tenant: acme }                            | X-Org-Id=Acme               | unlimited",
                    "{ tenant: acme }                            | X-Org-Id=acme2              | unlimited",
                    "{ tenant: [ acme, \"partner-*\" ] }         | X-Org-Id=partner-7          | limited",
                    "{ tenant: [ acme, \"partner-*\" ] }         | X-Org-Id=partner-           | limited",
                    "{ tenant: [ acme, \"partner-*\" ] }         | X-Org-Id=other              | unlimited",
                    "{ tenant: \"*-eu-*\" }                      | X-Org-Id=a-eu-b             | limited",
                    "{ tenant: \"*-eu-*\" }                      | X-Org-Id=a-us-b             | unlimited",
                    "{ tenant: \"192.0.2.*\" }                   | ip=192.0.2.7                | limited",
                    "{ plan: free }                              | X-Plan=free                 | limited",
                    "{ plan: free }                              | attribute:plan=pro X-Plan=free | unlimited",
                    "{ \"header:X-Beta\": present }              | X-Beta=1                    | limited",
                    "{ ip: 203.0.113.9 }                         | ip=10.1.1.1 X-Forwarded-For=203.0.113.9 | limited",
                    "{ ip: 10.1.1.1 }                            | ip=10.1.1.1                 | limited",
                    "{ ip: 10.1.1.1 }                            | ip=10.1.1.1 X-Forwarded-For=garbage | unlimited",
                    "{ ip: 10.1.1.1 }                            | ip=10.1.1.1 Forwarded=for=_hidden | unlimited",
                    "{ ip: \"10.*\" }                            | ip=10.1.1.1 X-Forwarded-For=garbage | unlimited",
                    "{ ip: present }                             | ip=10.1.1.1 X-Forwarded-For=garbage | unlimited",
                    "{ ip: present }                             | ip=10.1.1.1                 | limited",
                    "{ ip: absent }                              | ip=10.1.1.1 X-Forwarded-For=garbage | limited",
                    "{ ip: absent }                              | ip=10.1.1.1                 | unlimited",
                    "{ tenant: \"10.*\" }                        | ip=10.1.1.1 Forwarded=garbage | unlimited",
                    "{ tenant: acme }                            | ip=10.1.1.1 Forwarded=garbage X-Org-Id=acme | "
                            + "limited",
                    "{ \"path:org\": a }                         |                             | limited",
                    "{ \"path:org\": a }                         | path=b                      | unlimited",
                    "{ user: present, country: FR }              | principal=ann CF-IPCountry=FR | limited",
                    "{ user: present, country: FR }              | principal=ann               | unlimited",
                    "{ user: present, country: FR }              | CF-IPCountry=FR             | unlimited",
                    "{ between: \"11:00-13:00\" }                |                             | limited",
                    "{ between: \"12:00-12:01\" }                |                             | limited",
                    "{ between: \"11:00-12:00\" }                |                             | unlimited",
                    "{ between: \"22:00-06:00\" }                |                             | unlimited",
                    "{ between: \"22:00-12:01\" }                |                             | limited",
                    "{ between: \"13:00-24:00\", zone: Europe/Paris } |                        | limited",
                    "{ between: \"12:00-13:00\", zone: Europe/Paris } |                        | unlimited",
                    "{ days: [ MON-FRI ] }                       |                             | limited",
                    "{ days: [ SAT, SUN ] }                      |                             | unlimited",
                    "{ days: [ SAT-WED ] }                       |                             | limited",
                    "{ days: [ WED ], zone: Pacific/Kiritimati } |                             | unlimited",
                    "{ days: [ THU ], zone: Pacific/Kiritimati } |                             | limited",
                    "{ zone: Europe/Paris }                      |                             | limited",
                    "{}                                          |                             | limited"
                })
        void isLimited(String when, String words, String expected) {
            TestClock clock = new TestClock(Instant.parse(WEDNESDAY_NOON).toEpochMilli());
            try (CountingRateLimiter limiter = limiter(file(KEYS, "when: " + when), clock)) {
                assertThat(limiter.decide(call(words == null ? "" : words)).outcome())
                        .isEqualTo(expected.equals("limited") ? Outcome.ADMITTED : Outcome.UNLIMITED);
            }
        }

        @Test
        void readsAsTheFileHasIt() {
            String when = "country: [ FR, DE ], between: 22:00-06:00, days: [ MON, TUE, SUN ], zone: Europe/Paris, "
                    + "user: present, tenant: [ acme, partner-* ]";
            GivenFile given = new GivenFile(file(
                    KEYS,
                    "when: { country: [ FR, DE ], between: \"22:00-06:00\", days: [ SUN-TUE ], zone: Europe/Paris, "
                            + "user: present, tenant: [ acme, \"partner-*\" ] }"));
            assertThat(given.load().limits().endpoints().get(0).when()).hasToString(when);
            assertThat(given.load().limits().endpoints())
                    .isEqualTo(given.load().limits().endpoints());
        }
    }

    @Nested
    class WithADatabaseOfCountries {

        @TempDir
        private Path folder;

        private Path written(CountryFile made) throws IOException {
            return Files.write(folder.resolve("countries.mmdb"), made.bytes());
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "ip=192.0.2.7                                | FR",
                    "ip=::ffff:192.0.2.7                         | FR",
                    "ip=192.0.3.7                                | none",
                    "ip=2001:db8:1::7                            | DE",
                    "ip=192.0.2.7 CF-IPCountry=US                | FR",
                    "ip=10.1.1.1 X-Forwarded-For=2001:db8:1::7   | DE",
                    "ip=10.1.1.1                                 | CH",
                    "ip=10.1.1.1 X-Forwarded-For=garbage         | none",
                    "ip=10.1.1.1 Forwarded=for=_hidden           | none",
                    "ip=unix:                                    | none"
                })
        void goesByTheAddress(String words, String country) throws IOException {
            Path file = written(new CountryFile("GeoLite2-Country")
                    .with("192.0.2.0/24", "FR")
                    .with("10.0.0.0/8", "CH")
                    .with("2001:db8:1::/48", "DE"));
            String keys = "country: { database: \"" + file + "\" }\ntrustedProxies: [ 10.0.0.0/8 ]";
            try (CountingRateLimiter limiter = limiter(file(keys, "per: [ country ]"), new TestClock(0))) {
                assertThat(who(limiter.decide(call(words)))).isEqualTo("country " + country);
            }
        }

        @Test
        void hearsOfCallsThatNobodyBelievesOnce() throws IOException {
            Path file = written(new CountryFile("GeoLite2-Country").with("192.0.2.0/24", "FR"));
            hearsOnce(file("country: { database: \"" + file + "\" }", "per: [ country ]"));
        }

        @Test
        void wantsOneOfCountries() throws IOException {
            Path file = written(new CountryFile("GeoLite2-ASN").with("192.0.2.0/24", "FR"));
            assertThatThrownBy(() -> new GivenFile(file("country: { database: \"" + file + "\" }", "")).load())
                    .isInstanceOf(LimitsException.class)
                    .hasMessageContaining("this MaxMind database contains no countries");
        }
    }

    @Test
    void perServerAndPerNobodyCountAcrossAllCallers() {
        String text = """
            endpoints:
              - { id: all, pathPattern: /all, per: [], tiers: [ { period: 1d, threshold: 3 } ] }
              - { id: here, pathPattern: /here, per: [ server ], tiers: [ { period: 1d, threshold: 3 } ] }
            """;
        try (CountingRateLimiter limiter = limiter(text, new TestClock(0))) {
            for (String path : List.of("/all", "/here")) {
                for (int caller = 1; caller <= 4; caller++) {
                    Decision decision = limiter.decide(TestCall.get(path).from("192.0.2." + caller));
                    assertThat(decision.admitted()).isEqualTo(caller <= 3);
                }
            }
        }
    }

    /**
     * With {@code per: [ server ]} each instance has its own limit, also with a shared store; with an empty {@code per}
     * the fleet has one.
     */
    @Test
    void perNobodyIsSharedAndPerServerIsNot() {
        String text = """
            endpoints:
              - { id: all, pathPattern: /all, per: [], tiers: [ { period: 1d, threshold: 6, sync: strict } ] }
              - { id: here, pathPattern: /here, per: [ server ], tiers: [ { period: 1d, threshold: 6, sync: strict } ] }
              - { id: running, pathPattern: /running, per: [], tiers: [ { algorithm: concurrency, threshold: 2, sync: strict } ] }
              - { id: mine, pathPattern: /mine, per: [ server ], tiers: [ { algorithm: concurrency, scope: server, threshold: 6 } ] }
            """;
        TestClock clock = new TestClock(0);
        InMemoryCounterStore store = new InMemoryCounterStore(clock, 100);
        try (CountingRateLimiter one = instance("one", text, clock, store);
                CountingRateLimiter two = instance("two", text, clock, store)) {
            assertThat(admitted("/all", one, two)).isEqualTo(6);
            assertThat(admitted("/here", one, two)).isEqualTo(12);
            assertThat(admitted("/running", one, two)).isEqualTo(2);
            assertThat(admitted("/mine", one, two)).isEqualTo(12);
        }
    }

    private static CountingRateLimiter instance(String server, String text, TestClock clock, CounterStore store) {
        LoadContext context =
                new LoadContext(server, Map.of(), Map.of(), Variables.of(name -> null), CallerWarnings.NONE);
        Limits limits = LimitsReader.parse(SourceContent.of(new GivenFile(text)), context)
                .limits();
        return new CountingRateLimiter(limits, clock, RateLimitListener.NONE, store, server, null);
    }

    private static long admitted(String path, CountingRateLimiter... fleet) {
        return IntStream.range(0, 30)
                .filter(i -> fleet[i % fleet.length]
                        .decide(TestCall.get(path).from("192.0.2." + i))
                        .admitted())
                .count();
    }

    @Provide
    Arbitrary<String> hostile() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(200),
                Arbitraries.of(
                        "",
                        " ",
                        "none",
                        "a=b:c",
                        "{17}",
                        "\u0000",
                        "\r\nX: y",
                        "\ud800",
                        "ip",
                        "x".repeat(10_000),
                        "%"));
    }

    /** Each tenant in a header gets one call and no second, whatever its name. */
    @Property(tries = 500)
    void noTenantThatIsMadeUpThrowsOrGetsMoreThanItsLimit(@ForAll("hostile") String tenant) {
        try (CountingRateLimiter limiter =
                limiter(file("subjects: { user: [ principal ] }", "per: [ tenant, user ]"), new TestClock(0))) {
            TestCall call = TestCall.get("/shop/a").of(tenant);
            assertThat(limiter.decide(call).admitted()).isTrue();
            assertThat(limiter.decide(call).admitted()).isFalse();
            assertThat(limiter.decide(call.with("principal", tenant + "x")).admitted())
                    .isTrue();
            assertThat(limiter.decide(TestCall.get("/shop/a").of("honest")).admitted())
                    .isEqualTo(!tenant.equals("honest"));
        }
    }
}

package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.Client;
import dev.sluice.limits.Explanation;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks stand for all callers in them, in {@code clients} and in {@code when}. */
class NetworksTest {

    private static final String TIERS = "tiers: [ { period: 1h, threshold: 9 } ]";

    private static CountingRateLimiter limiter(String file) {
        GivenFile given = GivenFile.of(file);
        assertThat(given.problems()).isEmpty();
        return new CountingRateLimiter(given.load().limits(), new TestClock(0), RateLimitListener.NONE);
    }

    private static TestCall from(String address) {
        return TestCall.get("/a").from(address);
    }

    @Nested
    class InClients {

        private static final String FILE = "endpoints: [ { id: a, pathPattern: /a, per: [ ip ], " + TIERS + " } ]\n";

        private final CountingRateLimiter limiter = limiter(FILE + """
                trustedProxies: [ 10.9.9.9 ]
                clients:
                  - { ip: 10.1.2.3, multiply: 2 }
                  - { ip: [ 10.1.2.0/24, "2001:db8:1::/48" ], multiply: 3 }
                  - { ip: "10.1.3.*", multiply: 4 }
                  - { ip: 10.1.0.0/16, multiply: 5 }
                  - { ip: "::ffff:192.0.2.0/120", multiply: 6 }
                  - { ip: "::ffff:198.51.100.7", multiply: 7 }
                  - { ip: "2001:DB8:0::/32", multiply: 8 }
                """);

        private int factor(Call call) {
            return limiter.explain(call).stream()
                    .map(Explanation::client)
                    .mapToInt(client -> client == null ? 1 : client.multiply().intValue())
                    .findFirst()
                    .orElse(0);
        }

        @ParameterizedTest
        @CsvSource({
            "10.1.2.3, 2",
            "10.1.2.4, 3",
            "10.1.3.4, 4",
            "10.1.4.4, 5",
            "10.2.0.1, 1",
            "192.0.2.255, 6",
            "192.0.3.1, 1",
            "198.51.100.7, 7",
            "198.51.100.8, 1",
            "2001:db8:1:2::3, 3",
            "2001:db8:2::3, 8",
            "2001:db9::3, 1"
        })
        void theFirstThatMatchesApplies(String address, int factor) {
            assertThat(factor(from(address))).isEqualTo(factor);
        }

        @ParameterizedTest
        @ValueSource(strings = {"::ffff:10.1.4.4", "::ffff:a01:404", "64:ff9b::a01:404", "2002:a01:404::1"})
        void anIpv4AddressInIpv6IsInItsNetwork(String address) {
            assertThat(factor(from(address))).isEqualTo(5);
        }

        @Test
        void aForwardedCallerIsInItsNetworkAndAnUnknownOneInNone() {
            TestCall proxied = from("10.9.9.9");
            assertThat(factor(proxied)).isEqualTo(1);
            assertThat(factor(from("10.9.9.9").with("X-Forwarded-For", "10.1.4.4")))
                    .isEqualTo(5);
            assertThat(factor(from("10.9.9.9").with("X-Forwarded-For", "10.1.4.4, unknown")))
                    .isEqualTo(1);
        }

        @Test
        void eachCallerKeepsACountOfItsOwn() {
            assertThat(limiter.decide(from("10.1.4.1")).remaining()).isEqualTo(44);
            assertThat(limiter.decide(from("10.1.4.2")).remaining()).isEqualTo(44);
            assertThat(limiter.decide(from("10.1.4.1")).remaining()).isEqualTo(43);
        }

        @Test
        void twentyThousandAreFoundToo() {
            String many = IntStream.range(0, 20_000)
                    .mapToObj(i -> "\"11." + (i >> 8) + "." + (i & 255) + ".0/24\"")
                    .collect(Collectors.joining(",\n"));
            CountingRateLimiter large = limiter(FILE + "clients: [ { ip: [ " + many + " ], exempt: true } ]");
            assertThat(large.explain(from("11.77.200.9")).get(0).client())
                    .isNotNull()
                    .extracting(Client::exempt)
                    .isEqualTo(true);
            assertThat(large.explain(from("11.79.200.9")).get(0).client()).isNull();
        }

        @Test
        void subjectsBesideTheAddressMustMatchToo() {
            CountingRateLimiter both =
                    limiter(FILE + "clients: [ { ip: 10.0.0.0/8, \"header:X-Key\": k, multiply: 2 } ]");
            assertThat(both.explain(from("10.1.1.1")).get(0).client()).isNull();
            assertThat(both.explain(TestCall.get("/a").from("10.1.1.1").with("X-Key", "k"))
                            .get(0)
                            .client())
                    .isNotNull();
        }

        /** Where other sources may give the value too, it is compared as text. */
        @Test
        void aSubjectThatIsNotOnlyAnAddressHasNoNetworks() {
            CountingRateLimiter mixed = limiter(FILE + "clients: [ { tenant: 10.0.0.0/8, multiply: 2 } ]");
            assertThat(mixed.explain(from("10.1.1.1")).get(0).client()).isNull();
        }
    }

    @Nested
    class InConditions {

        private final CountingRateLimiter limiter = limiter("""
                subjects: { address: [ ip ] }
                endpoints:
                  - { id: office, pathPattern: /a, when: { ip: [ 10.0.0.0/8, "2001:db8::/32" ] }, %1$s }
                  - { id: odd, pathPattern: /a, when: { address: [ 10.1.1.1, "10.1.*.2", "::ffff:192.0.2.0/120" ] }, %1$s }
                """.formatted(TIERS));

        private List<String> ids(String address) {
            return limiter.explain(from(address)).stream()
                    .map(one -> one.endpoint().id())
                    .toList();
        }

        @ParameterizedTest
        @CsvSource({
            "10.1.1.1, office odd",
            "10.1.9.2, office odd",
            "10.1.1.9, office",
            "::ffff:10.3.1.9, office",
            "192.0.2.1, odd",
            "::ffff:c000:201, odd",
            "2001:db8:9::1, office",
            "2001:db9::1, ''",
            "11.0.0.1, ''"
        })
        void holdForAllAddressesOfANetwork(String address, String ids) {
            assertThat(String.join(" ", ids(address))).isEqualTo(ids);
        }
    }
}

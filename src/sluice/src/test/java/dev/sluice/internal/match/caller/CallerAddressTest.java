package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerAddressTest {

    private final AtomicInteger warnings = new AtomicInteger();

    private CallerAddress trusting(String... ranges) {
        return trusting(64, ranges);
    }

    private CallerAddress trusting(int ipv6Prefix, String... ranges) {
        List<AddressRange> trusted =
                Arrays.stream(ranges).map(AddressRange::parse).toList();
        return new CallerAddress(trusted, ipv6Prefix, warnings::incrementAndGet);
    }

    @Nested
    class WithoutTrustedProxies {

        private final CallerAddress address = trusting();

        @ParameterizedTest
        @CsvSource({
            "192.0.2.1, 192.0.2.1",
            "192.0.2.01, 192.0.2.01",
            "::ffff:192.0.2.1, 192.0.2.1",
            "64:ff9b::192.0.2.1, 192.0.2.1",
            "2002:c000:201:1::1, 192.0.2.1",
            "2002:c000:201:ffff::1, 192.0.2.1",
            "2001:db8:0:1:2:3:4:5, 2001:db8:0:1::/64",
            "2001:DB8:0:1:ffff::, 2001:db8:0:1::/64",
            "fe80::1%eth0, fe80::/64",
            "fe80::2%3, fe80::/64",
            "unix:, unix:",
            "'', ''"
        })
        void isThePeers(String peer, String expected) {
            assertThat(address.keyOf(Request.from(peer))).isEqualTo(expected);
        }

        @Test
        void isNotWhatACallerClaims() {
            Request request = Request.from("192.0.2.1")
                    .with("X-Forwarded-For", "198.51.100.1")
                    .with("Forwarded", "for=198.51.100.1");
            assertThat(address.keyOf(request)).isEqualTo("192.0.2.1");
        }

        @Test
        void saysThatNobodyIsBelieved() {
            address.keyOf(Request.from("192.0.2.1"));
            assertThat(warnings).hasValue(0);
            address.keyOf(Request.from("192.0.2.1").with("X-Forwarded-For", "198.51.100.1"));
            assertThat(warnings).hasValue(1);
            address.keyOf(Request.from("192.0.2.1").with("forwarded", "for=198.51.100.1"));
            assertThat(warnings).hasValue(2);
        }

        @Test
        void saysNothingWhereTomcatHasReadTheHeader() {
            address.keyOf(Request.from("192.0.2.1")
                    .with("X-Forwarded-For", "198.51.100.1")
                    .withAttribute("org.apache.tomcat.request.forwarded", "true"));
            assertThat(warnings).hasValue(0);
        }

        @Test
        void saysSoToWhoeverAsksForTheWholeAddress() {
            assertThat(address.inet(Request.from("192.0.2.1"))).hasToString("/192.0.2.1");
            assertThat(warnings).hasValue(0);
            assertThat(address.inet(Request.from("192.0.2.1").with("Forwarded", "for=198.51.100.1")))
                    .hasToString("/192.0.2.1");
            assertThat(warnings).hasValue(1);
        }

        @Test
        void seldomLooksForTheHeadersInTheLongRun() {
            Request request = Request.from("192.0.2.1");
            for (int i = 0; i < 100_000; i++) {
                address.keyOf(request);
            }
            assertThat(request.timesAsked("X-Forwarded-For")).isBetween(1_000, 2_000);
        }
    }

    @Nested
    class BehindProxies {

        private final CallerAddress address = trusting("10.0.0.0/8", "2001:db8:ffff::/48");

        @ParameterizedTest
        @CsvSource({
            "203.0.113.9, 203.0.113.9",
            "'198.51.100.1, 203.0.113.9', 203.0.113.9",
            "'198.51.100.1,203.0.113.9, 10.2.2.2', 203.0.113.9",
            "'198.51.100.1, 10.3.3.3, 10.2.2.2', 198.51.100.1",
            "'10.3.3.3, 10.2.2.2', 10.3.3.3",
            "'203.0.113.9, , ,', 203.0.113.9",
            "203.0.113.9:4711, 203.0.113.9",
            "203.0.113.9:9, 203.0.113.9",
            "203.0.113.9:65530, 203.0.113.9",
            "203.0.113.9:_azAZ09._-, 203.0.113.9",
            "[2001:db8::1]:_x, 2001:db8::/64",
            "'198.51.100.1, 203.0.113.9:', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:655350', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:80a', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:80/', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:_', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:_x+', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:_x@', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:_x[', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:_x`', behind 10.1.1.1",
            "'198.51.100.1, 203.0.113.9:_x{', behind 10.1.1.1",
            "'\t203.0.113.9 ', 203.0.113.9",
            "::ffff:203.0.113.9, 203.0.113.9",
            "2002:cb00:7109:1::1, 203.0.113.9",
            "[2002:cb00:7109:2::1]:443, 203.0.113.9",
            "'203.0.113.9, 2002:a02:202::1', 203.0.113.9",
            "2001:db8::1, 2001:db8::/64",
            "[2001:db8::1], 2001:db8::/64",
            "[2001:db8::1]:443, 2001:db8::/64",
            "'203.0.113.9, 2001:db8:ffff::7', 203.0.113.9",
            "'203.0.113.9, unknown', behind 10.1.1.1",
            "'203.0.113.9, unknown, 10.2.2.2', behind 10.2.2.2",
            "'203.0.113.9, 203.0.113.9:port', behind 10.1.1.1",
            "'203.0.113.9, [203.0.113.9]', behind 10.1.1.1",
            "'203.0.113.9, [2001:db8::1]x', behind 10.1.1.1",
            "'203.0.113.9, [2001:db8::1', behind 10.1.1.1",
            "'203.0.113.9, 0203.0.113.9', behind 10.1.1.1",
            "'203.0.113.9, example.com', behind 10.1.1.1",
            "'203.0.113.9;10.2.2.2', behind 10.1.1.1",
            "'', 10.1.1.1",
            "',', 10.1.1.1"
        })
        void goesRightToLeftThroughXForwardedFor(String header, String expected) {
            Request request = Request.from("10.1.1.1").with("X-Forwarded-For", header);
            assertThat(address.keyOf(request)).isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource({
            "for=203.0.113.9, 203.0.113.9",
            "'For=198.51.100.1, FOR=203.0.113.9', 203.0.113.9",
            "for=203.0.113.9;proto=http;by=10.1.1.1, 203.0.113.9",
            "proto=http; for=203.0.113.9 ;, 203.0.113.9",
            "'for=203.0.113.9, for=10.2.2.2', 203.0.113.9",
            "'for=\"203.0.113.9:4711\"', 203.0.113.9",
            "'for=\"203.0.113.9:_gazonk\"', 203.0.113.9",
            "'for=\"[2001:db8:cafe::17]:4711\"', 2001:db8:cafe::/64",
            "'for=\"[2001:db8:cafe::17]\";by=\"a,b;for=c\"', 2001:db8:cafe::/64",
            "'for=\"evil, for=203.0.113.9', 203.0.113.9",
            "'for=6.6.6.6, for=\"x, for=\"[2001:db8::1]\"', 2001:db8::/64",
            "'for=203.0.113.9, for=unknown', behind 10.1.1.1",
            "'for=203.0.113.9, for=_hidden', behind 10.1.1.1",
            "'for=203.0.113.9, for=\"_SEVKISEK\"', behind 10.1.1.1",
            "'for=203.0.113.9, proto=http', behind 10.1.1.1",
            "'for=203.0.113.9, for=1.1.1.1;for=2.2.2.2', behind 10.1.1.1",
            "'for=203.0.113.9, for=\"1.1.1.1', behind 10.1.1.1",
            "'for=203.0.113.9, for=\"1.1.1.1\"x', behind 10.1.1.1",
            "'for=203.0.113.9, for=\"1.1.1.\\1\"', behind 10.1.1.1",
            "'for=203.0.113.9, 1.1.1.1', behind 10.1.1.1",
            "'for=203.0.113.9, for', behind 10.1.1.1",
            "'', 10.1.1.1"
        })
        void goesRightToLeftThroughForwarded(String header, String expected) {
            Request request = Request.from("10.1.1.1").with("Forwarded", header);
            assertThat(address.keyOf(request)).isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource({
            "203.0.113.9, 203.0.113.9",
            "'garbage, 203.0.113.9', 203.0.113.9",
            "'10.3.3.3, 10.2.2.2', 10.3.3.3",
            "garbage,",
            "'203.0.113.9, garbage, 10.2.2.2',",
            "'', 10.1.1.1",
            "' , ', 10.1.1.1"
        })
        void knowsNobodyWhoseHopsBreakOff(String header, String expected) {
            assertThat(address.identifiedBy(Request.from("10.1.1.1").with("X-Forwarded-For", header)))
                    .isEqualTo(expected);
        }

        @ParameterizedTest
        @CsvSource({
            "203.0.113.9, for=203.0.113.9, 203.0.113.9",
            "10.2.2.2, for=10.2.2.2, 10.2.2.2",
            "203.0.113.9, for=6.6.6.6,",
            "203.0.113.9, for=_hidden,",
            "203.0.113.9, '',",
            "'203.0.113.9, 10.2.2.2', for=10.2.2.2,",
        })
        void knowsNobodyOfWhomTwoHeadersDisagree(String plain, String standard, String expected) {
            Request request =
                    Request.from("10.1.1.1").with("X-Forwarded-For", plain).with("Forwarded", standard);
            assertThat(address.identifiedBy(request)).isEqualTo(expected);
        }

        @Test
        void knowsWhoeverNeedsNoHeader() {
            assertThat(address.identifiedBy(Request.from("10.1.1.1"))).isEqualTo("10.1.1.1");
            assertThat(address.identifiedBy(Request.from("2001:db8::1"))).isEqualTo("2001:db8::/64");
            assertThat(address.identifiedBy(Request.from("203.0.113.9").with("Forwarded", "garbage")))
                    .isEqualTo("203.0.113.9");
            assertThat(address.identifiedBy(Request.from("unix:"))).isEqualTo("unix:");
        }

        @Test
        void hasNoWholeAddressWhereTheHopsBreakOff() {
            assertThat(address.inet(Request.from("10.1.1.1"))).hasToString("/10.1.1.1");
            assertThat(address.inet(Request.from("10.1.1.1").with("X-Forwarded-For", "garbage")))
                    .isNull();
        }

        @Test
        void readsSeveralLinesAsOne() {
            assertThat(address.keyOf(Request.from("10.1.1.1").with("X-Forwarded-For", "6.6.6.6", "203.0.113.9")))
                    .isEqualTo("203.0.113.9");
            assertThat(address.keyOf(
                            Request.from("10.1.1.1").with("X-Forwarded-For", "6.6.6.6, 203.0.113.9", "", "10.2.2.2")))
                    .isEqualTo("203.0.113.9");
            assertThat(address.keyOf(Request.from("10.1.1.1").with("Forwarded", "for=\"6.6.6.6", "for=203.0.113.9")))
                    .isEqualTo("203.0.113.9");
        }

        @ParameterizedTest
        @CsvSource({
            "203.0.113.9, for=203.0.113.9, 203.0.113.9",
            "'203.0.113.9, 10.2.2.2', 'for=203.0.113.9, for=10.2.2.2', 203.0.113.9",
            "203.0.113.9, for=6.6.6.6, behind 10.1.1.1",
            "6.6.6.6, for=203.0.113.9, behind 10.1.1.1",
            "'203.0.113.9, 10.2.2.2', 'for=6.6.6.6, for=10.2.2.2', behind 10.2.2.2",
            "203.0.113.9, for=unknown, behind 10.1.1.1",
            "unknown, for=203.0.113.9, behind 10.1.1.1",
            "203.0.113.9, '', behind 10.1.1.1"
        })
        void believesTwoHeadersWhereTheyAgree(String plain, String standard, String expected) {
            Request request =
                    Request.from("10.1.1.1").with("X-Forwarded-For", plain).with("Forwarded", standard);
            assertThat(address.keyOf(request)).isEqualTo(expected);
        }

        /** A proxy, and a client that is told by its address, as much as any caller. */
        @Test
        void takesAnAddressThatCarriesAnotherForThatOne() {
            Request request = Request.from("2002:a01:101:7::1").with("X-Forwarded-For", "2002:cb00:7109::1");
            assertThat(address.keyOf(request)).isEqualTo("203.0.113.9");
            assertThat(address.identifiedBy(request)).isEqualTo("203.0.113.9");
            assertThat(address.inet(request)).hasToString("/203.0.113.9");
            assertThat(address.normalised("2002:cb00:7109::1")).isEqualTo("203.0.113.9");
            assertThat(address.keyOf(Request.from("10.1.1.1")
                            .with("X-Forwarded-For", "203.0.113.9")
                            .with("Forwarded", "for=\"[2002:cb00:7109:5::1]\"")))
                    .isEqualTo("203.0.113.9");
        }

        @Test
        void believesNobodyElse() {
            Request request = Request.from("203.0.113.9").with("X-Forwarded-For", "10.2.2.2, 6.6.6.6");
            assertThat(address.keyOf(request)).isEqualTo("203.0.113.9");
            assertThat(request.timesAsked("X-Forwarded-For")).isZero();
        }

        @Test
        void hasNothingToWarnOf() {
            address.keyOf(Request.from("203.0.113.9").with("X-Forwarded-For", "6.6.6.6"));
            address.keyOf(Request.from("10.1.1.1").with("X-Forwarded-For", "6.6.6.6"));
            assertThat(warnings).hasValue(0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 8000::/1",
        "32, fdb8:1234::/32",
        "48, fdb8:1234:5678::/48",
        "64, fdb8:1234:5678:9abc::/64",
        "72, fdb8:1234:5678:9abc:de00::/72",
        "128, fdb8:1234:5678:9abc:def0:1:2:3"
    })
    void groupsIpv6ByItsPrefix(int prefix, String expected) {
        assertThat(trusting(prefix).keyOf(Request.from("fdb8:1234:5678:9abc:def0:1:2:3")))
                .isEqualTo(expected);
        assertThat(trusting(prefix).keyOf(Request.from("192.0.2.1"))).isEqualTo("192.0.2.1");
    }

    @Provide
    Arbitrary<String> header() {
        Arbitrary<String> pieces = Arbitraries.of(
                "6.6.6.6",
                "10.9.9.9",
                "for=",
                "for=6.6.6.6",
                "for=10.9.9.9",
                ",",
                ", ",
                ";",
                "\"",
                "\\",
                "[",
                "]",
                ":",
                "::",
                "[2001:db8:bad::1]",
                "2001:db8:bad::1",
                "unknown",
                "_x",
                "%",
                " ",
                "\t",
                "=",
                "by=",
                "\u0000",
                "\ud800",
                "9".repeat(50),
                ":443");
        return Arbitraries.oneOf(
                pieces.list().ofMaxSize(12).map(list -> String.join("", list)),
                Arbitraries.strings().ofMaxLength(40));
    }

    /**
     * The caller writes what it likes; the trusted proxy adds the caller's true address, in the same line or another.
     */
    @Property(tries = 5_000)
    void noHeaderOfACallerChangesItsAddress(
            @ForAll("header") String plain, @ForAll("header") String standard, @ForAll boolean sameLine) {
        CallerAddress address = trusting("10.0.0.0/8");
        Request throughPlain = Request.from("10.1.1.1");
        Request throughStandard = Request.from("10.1.1.1");
        String quoted = "for=\"[2001:db8:900d::1]:4711\";by=\"_x\"";
        if (sameLine) {
            throughPlain.with("X-Forwarded-For", plain + ", 203.0.113.9");
            throughStandard.with("Forwarded", standard + ", " + quoted);
        } else {
            throughPlain.with("X-Forwarded-For", plain, "203.0.113.9");
            throughStandard.with("Forwarded", standard, quoted);
        }
        assertThat(address.keyOf(throughPlain)).isEqualTo("203.0.113.9");
        assertThat(address.keyOf(throughStandard)).isEqualTo("2001:db8:900d::/64");
        assertThat(address.keyOf(throughPlain.with("Forwarded", standard))).isIn("203.0.113.9", "behind 10.1.1.1");
        assertThat(address.keyOf(throughStandard.with("X-Forwarded-For", plain)))
                .isIn("2001:db8:900d::/64", "behind 10.1.1.1");
        assertThat(trusting().keyOf(throughPlain)).isEqualTo("10.1.1.1");
        assertThat(address.identifiedBy(throughPlain)).isIn("203.0.113.9", null);
        assertThat(address.identifiedBy(throughStandard)).isIn("2001:db8:900d::/64", null);
    }

    /** As Jetty writes IPv6, and some proxies through the server. */
    @ParameterizedTest
    @CsvSource({
        "[2001:db8::7], 2001:db8::/64",
        "[2001:db8:0:0:0:0:0:8], 2001:db8::/64",
        "[2001:db8::7]:4711, 2001:db8::/64",
        "192.0.2.1:4711, 192.0.2.1"
    })
    void aPeerMayHaveBracketsAndAPort(String peer, String expected) {
        assertThat(trusting().keyOf(Request.from(peer))).isEqualTo(expected);
        assertThat(trusting("10.0.0.0/8").keyOf(Request.from(peer))).isEqualTo(expected);
        assertThat(trusting("10.0.0.0/8").identifiedBy(Request.from(peer))).isEqualTo(expected);
        assertThat(trusting("2001:db8::/32", "192.0.2.1/32")
                        .keyOf(Request.from(peer).with("X-Forwarded-For", "203.0.113.9")))
                .isEqualTo("203.0.113.9");
    }

    /** Otherwise strangers who send garbled headers would get the health checks of the proxy refused. */
    @Test
    void callsThatAreGarbledCountApartFromTheProxysOwn() {
        CallerAddress address = trusting("10.0.0.0/8");
        Request garbled =
                Request.from("10.1.1.1").with("X-Forwarded-For", "203.0.113.9").with("Forwarded", "for=6.6.6.6");
        assertThat(address.keyOf(garbled)).isEqualTo("behind 10.1.1.1");
        assertThat(address.keyOf(Request.from("10.1.1.1"))).isEqualTo("10.1.1.1");
    }

    /** Whatever stands in the headers, the address is the peer's or one that stands there. */
    @Property(tries = 500)
    void theAddressIsThePeersOrOneThatATrustedHopGave(@ForAll("header") String header) {
        CallerAddress address = trusting(128, "10.0.0.0/8");
        Set<String> possible = new TreeSet<>(Set.of("10.1.1.1", "behind 10.1.1.1"));
        for (int from = 0; from < header.length(); from++) {
            for (int to = from + 2; to <= Math.min(header.length(), from + 60); to++) {
                IpAddress parsed = AddressParser.parse(header.substring(from, to));
                if (parsed != null) {
                    possible.add(parsed.toString());
                    possible.add("behind " + parsed);
                }
            }
        }
        assertThat(possible).contains(address.keyOf(Request.from("10.1.1.1").with("X-Forwarded-For", header)));
        assertThat(possible).contains(address.keyOf(Request.from("10.1.1.1").with("Forwarded", header)));
    }
}

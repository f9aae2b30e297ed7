package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Invocation;
import dev.sluice.internal.match.caller.SecretDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainTest {

    @TempDir
    private Path directory;

    private String file = "";

    @BeforeEach
    void writeFile() throws IOException {
        file = write("""
            subjects:
              tenant: [ "header:X-Org-Id", ip ]
              app: [ "claim:client_id", "attribute:app", session ]
              person: [ principal ]
              user: [ principal, "cookie:user", "query:user", "path:name" ]
            clients:
              - { tenant: mobile-app, exempt: true }
              - { tenant: [ partner-1, "partner-eu-*" ], multiply: 10 }
              - { tenant: old-app, mode: off }
              - { tenant: tester, mode: enforce }
            endpoints:
              - id: get-product
                methods: [ GET ]
                pathPattern: /product/*
                tiers:
                  - { period: 10s, threshold: 1000 }
                  - { period: 1h, threshold: 5000 }
              - id: profile
                pathPattern: /user/{name}
                per: [ tenant, user ]
                tiers: [ { period: 1m, threshold: 7 } ]
              - id: team
                pathPattern: "/team/{name}/**"
                per: [ "path:name" ]
                tiers: [ { period: 1m, threshold: 3 } ]
              - id: login
                methods: [ POST ]
                pathPattern: /login
                per: []
                tiers: [ { period: 1m, threshold: 5 } ]
              - id: rehearsed
                pathPattern: /product/42
                mode: dry-run
                tiers: [ { period: 1m, threshold: 20 } ]
              - id: night
                pathPattern: /night
                when: { tenant: [ acme, "partner-*" ] }
                tiers: [ { period: 1m, threshold: 20 } ]
              - id: sale
                pathPattern: /sale
                per: [ app ]
                when: { between: "22:00-06:00", days: [ FRI, SAT ], zone: Europe/Paris, person: absent }
                tiers: [ { period: 1h, threshold: 20 } ]
              - id: payments
                pathPattern: /payments
                count: { status: [ 403, 402, 408, 401, 5xx ] }
                cost: "header:X-Cost"
                tiers: [ { period: 1d, threshold: 5 } ]
              - id: orders
                pathPattern: /payments
                cost: charged
                tiers: [ { period: 1d, threshold: 20000 } ]
              - id: sleeping
                pathPattern: /sleeping
                mode: off
                tiers: [ { period: 1m, threshold: 20 } ]
              - id: pages
                pathPattern: [ "/pages/**", "/page" ]
                except: [ "/pages/help/**", "/pages/*.css" ]
                tiers: [ { period: 1m, threshold: 20 } ]
              - id: tokens
                pathPattern: /chat
                cost: { reserve: "header:X-Estimate", default: 30 }
                tiers: [ { period: 1d, threshold: 1000 } ]
            """);
    }

    @Test
    void saysWhatACallReserves() {
        assertThat(explain("GET", "/chat", "-H", "X-Estimate: 200").out())
                .contains(
                        "reserves header:X-Estimate or 30 until the application settles it; an unsettled call keeps"
                                + " its estimate",
                        "The call reserves 200.");
    }

    @Nested
    class OfACallThatMatches {

        @Test
        void namesEndpointSubjectTiersAndCounters() {
            Invocation explained = explain("GET", "/product/1", "-H", "X-Org-Id: acme");
            assertThat(explained.out())
                    .containsSubsequence(
                            "get-product: GET /product/*",
                            "  tenant=acme, from header:X-Org-Id",
                            "  tier 10s: 1000 in 10s",
                            "    key of its counter: sluice:{",
                            ":tenant=header%3aX-Org-Id=acme:get-product:GET:10s:",
                            "  tier 1h: 5000 in 1h",
                            ":tenant=header%3aX-Org-Id=acme:get-product:GET:1h:")
                    .doesNotContain("login", "rehearsed");
            assertThat(explained.err()).isEmpty();
            assertThat(explained.exitCode()).isZero();
        }

        @Test
        void saysWhichClientCallsAndWhatItsLimitsAre() {
            assertThat(explain("GET", "/product/1", "-H", "X-Org-Id: partner-eu-7")
                            .out())
                    .containsSubsequence(
                            "get-product: GET /product/*",
                            "  client tenant: [ partner-1, partner-eu-* ], multiply 10",
                            "  tier 10s: 10000 in 10s",
                            "  x-ratelimit-limit: 10000");
            assertThat(explain("GET", "/product/1", "-H", "X-Org-Id: mobile-app")
                            .out())
                    .containsSubsequence(
                            "  client tenant: mobile-app, exempt",
                            "  tier 10s: 1000 in 10s",
                            "A first call is answered 200")
                    .doesNotContain("x-ratelimit");
            assertThat(explain("GET", "/product/1").out()).doesNotContain("client ");
        }

        @Test
        void saysThatLimitsAreThoseOfARegion() throws IOException {
            String regional = Files.readString(Path.of(file)) + "regionShare: 0.25\n";
            file = write(regional);
            assertThat(explain("GET", "/product/1", "-H", "X-Org-Id: acme").out())
                    .startsWith("regionShare 0.25: thresholds are this region's share of those in the file")
                    .containsSubsequence("  tier 10s: 250 in 10s", "  x-ratelimit-limit: 250");
        }

        @Test
        void saysWhatCounts() {
            assertThat(explain("POST", "/payments").out())
                    .containsSubsequence(
                            "payments: any method /payments",
                            "  counts only calls with the status 401, 402, 403, 408, 5xx",
                            "  if calls in flight hold all permits, a call awaits their outcomes for up to 2 s,"
                                    + " in case one of them does not count",
                            "  costs the number in the header X-Cost, or 1 without it",
                            "  tier 1d: 5 in 1d",
                            "orders: any method /payments",
                            "  costs the amount that the application charges after the call");
        }

        @Test
        void saysThatTheCostOfAResolverIsTakenAsOne() throws IOException {
            file = write("- { id: a, pathPattern: /a, cost: price, tiers: [ { period: 10s, threshold: 5 } ] }\n");
            assertThat(explain("GET", "/a", "--resolver", "price").out())
                    .contains("  costs the result of the application's CostResolver price; here 1")
                    .contains("  x-ratelimit-remaining: 4");
            assertThat(explain("GET", "/a").err())
                    .contains("\"price\" is not a cost", "[SL-140]", "add --resolver NAME");
        }

        @Test
        void showsThePlanAndTheNameOfAClient() throws IOException {
            String hash = SecretDigest.keyed("the key of all instances").apply("k-123");
            file = write("""
                secrets: { key: "the key of all instances" }
                subjects: { tenant: [ "hash(header:X-Org-Id)" ] }
                plans: { free: {}, pro: { multiply: 3 } }
                clients: { list: [ { tenant: "%s", name: Acme Ltd, plan: pro } ], defaultPlan: free }
                endpoints: [ { id: a, pathPattern: /a, tiers: [ { period: 10s, threshold: 5 } ] } ]
                """.formatted(hash));
            assertThat(explain("GET", "/a", "-H", "X-Org-Id: k-123").out())
                    .contains("  client tenant: " + hash + ", name Acme Ltd, plan pro\n  plan pro\n")
                    .contains("tenant=" + hash + ", from hash(header:X-Org-Id), which is Acme Ltd")
                    .contains(": 15 in ");
            assertThat(explain("GET", "/a", "-H", "X-Org-Id: k-9").out())
                    .contains("  plan free\n")
                    .contains(": 5 in ");
        }

        @Test
        void showsWhatHoldsForEachPlanThatACallMayName() throws IOException {
            file = write("""
                subjects: { tenant: [ "header:X-Org-Id" ] }
                plans: { free: {}, pro: { multiply: 10 } }
                clients: { planFrom: [ "header:X-Plan" ], from: customers, defaultPlan: free }
                endpoints: [ { id: a, pathPattern: /a, tiers: [ { period: 10s, threshold: 5 } ] } ]
                """);
            String each = """
                    the ClientSource customers names the plan, or else each call names its plan, by header:X-Plan
                    by plan free: tier 10s: 5 in 10s
                    by plan pro: tier 10s: 50 in 10s
                """;
            assertThat(explain("GET", "/a", "-H", "X-Org-Id: acme", "--resolver", "customers")
                            .out())
                    .contains("  plan free\n" + each);
            assertThat(explain("GET", "/a", "-H", "X-Org-Id: acme", "-H", "X-Plan: pro", "--resolver", "customers")
                            .out())
                    .contains("  plan pro\n" + each)
                    .contains("x-ratelimit-limit: 50");
        }

        /** Neither the caller's, nor those of clients and conditions. */
        @Test
        void showsSecretsByTheirHash() throws IOException {
            file = write("""
                secrets: { key: "the key of all instances" }
                subjects: { tenant: [ "hash(header:X-Org-Id)" ] }
                clients: [ { tenant: [ k-123, "k-4*" ], multiply: 2 } ]
                endpoints:
                  - id: a
                    pathPattern: /a
                    when: { tenant: [ k-123, k-5 ] }
                    tiers: [ { period: 10s, threshold: 5 } ]
                """);
            String hash = SecretDigest.keyed("the key of all instances").apply("k-123");
            assertThat(explain("GET", "/a", "-H", "X-Org-Id: k-123").out())
                    .contains("client tenant: [ " + hash + ", (hidden pattern) ], multiply 2", "when tenant: ***")
                    .contains(hash)
                    .doesNotContain("k-123", "k-4", "k-5");
            assertThat(explain("GET", "/a", "-H", "X-Org-Id: k-9").out()).doesNotContain("k-9", "k-123", "k-5");
        }

        @Test
        void showsTheHeadersOfAFirstCall() {
            assertThat(explain("GET", "/product/1").out())
                    .containsPattern("A first call is answered 200 with these headers:\\R"
                            + "  x-ratelimit-limit: 1000\\R"
                            + "  x-ratelimit-remaining: 999\\R"
                            + "  x-ratelimit-reset: \\d+\\R$")
                    .contains("\nThe headers show get-product, tier 10s, because the smallest fraction of its permits "
                            + "remains. The call costs 1.\n");
        }

        @Test
        void headersAreThoseThatTheFileAsksFor() throws IOException {
            file = write("headers: { style: none }\n" + Files.readString(Path.of(file)));
            assertThat(explain("GET", "/product/1").out())
                    .contains("\nNo headers show get-product, tier 10s. The call costs 1.\n")
                    .contains("A first call is answered 200.")
                    .doesNotContain("x-ratelimit");
            file = write(Files.readString(Path.of(file)).replace("style: none", "style: ietf"));
            assertThat(explain("GET", "/product/1").out())
                    .contains("\nThe headers show each limit that applies. The call costs 1.\n");
        }

        @Test
        void saysThatHeadersShowAnotherLimitBecauseTheNearestIsHidden() throws IOException {
            file = write("""
                    - { id: quiet, pathPattern: /a, headers: none, tiers: [ { period: 1m, threshold: 2 } ] }
                    - { id: loud, pathPattern: /a, tiers: [ { period: 1m, threshold: 20 } ] }
                    """);
            assertThat(explain("GET", "/a").out())
                    .contains(
                            "\nThe headers show loud, tier 1m, because those of quiet, tier 1m are hidden. The call "
                                    + "costs 1.\n",
                            "  x-ratelimit-limit: 20\n");
        }

        @Test
        void namesEveryEndpointThatMatchesInTheOrderOfTheFile() {
            assertThat(explain("GET", "/product/42").out())
                    .containsSubsequence("get-product: GET /product/*", "rehearsed: any method /product/42 (dry-run)");
        }

        @Test
        void namesEndpointsOfTheSamePathThatDoNot() {
            assertThat(explain("DELETE", "/product/42").out())
                    .contains("rehearsed: any method", "\nget-product matches the path, but is only for GET\n")
                    .doesNotContain("rehearsed matches");
        }

        @Test
        void takesTheAddressFromTheOption() {
            assertThat(explain("GET", "/product/1").out()).contains("tenant=127.0.0.1, from ip");
            assertThat(explain("GET", "/product/1", "--ip", "192.0.2.7").out()).contains("tenant=192.0.2.7, from ip");
            assertThat(explain("GET", "/product/1", "--ip", "2001:db8::1").out())
                    .contains("tenant=2001:db8::/64, from ip");
        }

        @Test
        void findsSubjectsWhereverTheyAre() {
            assertThat(explain("GET", "/user/eve").out()).contains("user=eve, from path:name");
            assertThat(explain("GET", "/user/eve?a=b&user=dan").out()).contains("user=dan, from query:user");
            assertThat(explain("GET", "/user/eve?user=dan", "-H", "Cookie: a=b; user=cid")
                            .out())
                    .contains("user=cid, from cookie:user");
            assertThat(explain("GET", "/user/eve", "-H", "Cookie: user=cid", "--user", "bob")
                            .out())
                    .contains("user=bob, from principal");
        }

        @Test
        void showsEachReadingOfThePath() {
            assertThat(explain("GET", "/team/red/../blue/x").out())
                    .contains("""
                        team: any method /team/{name}/**
                          path:name=blue, from path:name
                        """)
                    .contains("""
                        team: any method /team/{name}/**, with the other reading of the path
                          path:name=red, from path:name
                        """);
        }

        @Test
        void saysThatAllCallersCountTogether() {
            assertThat(explain("POST", "/login").out()).contains("login: POST /login", "  counts all callers together");
        }

        @Test
        void showsConditionsCostsAndModes() {
            assertThat(explain("GET", "/night", "-H", "X-Org-Id: acme").out())
                    .contains("night: any method /night", "  applies only when tenant: [ acme, partner-* ]");
            assertThat(explain("GET", "/night").out())
                    .contains("night matches the path, but applies only when tenant: [ acme, partner-* ] (found"
                            + " 127.0.0.1)");
        }

        @Test
        void showsSeveralPatternsAndExceptions() {
            assertThat(explain("GET", "/page").out())
                    .contains("pages: any method /pages/**, /page except /pages/help/**, /pages/*.css\n");
            assertThat(explain("GET", "/pages/help/a.css").out())
                    .contains("  pages matches the path, but excludes it with except: /pages/help/**\n");
            assertThat(explain("GET", "/pages/help/..%2fx").out()).contains("pages: any method /pages/**");
        }

        @Test
        void namesOnlyTheCircumstancesThatAreMissingAndWhatIsThereInstead() {
            assertThat(explain("GET", "/sale", "--at", "2026-11-21T04:59:59Z").out())
                    .contains("sale: any method /sale");
            assertThat(explain("GET", "/sale", "--at", "2026-11-21T05:00:00Z").out())
                    .contains("  sale matches the path, but applies only when "
                            + "between: 22:00-06:00, days: [ FRI, SAT ], zone: Europe/Paris (found SAT 06:00)\n");
            assertThat(explain("GET", "/sale", "--at", "2026-11-21T23:30+01:00", "--user", "eve")
                            .out())
                    .contains("  sale matches the path, but applies only when person: absent (found eve)\n");
            assertThat(explain("GET", "/sale", "--at", "2026-11-23T02:30+01:00", "--user", "eve")
                            .out())
                    .contains("(found MON 02:30, in the hours of SUN) and person: absent (found eve)\n");
            assertThat(explain("GET", "/night", "-H", "X-Org-Id: ", "--ip", "192.0.2.7")
                            .out())
                    .contains("(found 192.0.2.7)");
        }

        @Test
        void saysWhatIsOffOrOnForOneCallerOnly() {
            assertThat(explain("GET", "/product/1", "-H", "X-Org-Id: old-app").out())
                    .contains("  get-product matches the path, but its mode is off for this caller\n");
            assertThat(explain("GET", "/sleeping", "-H", "X-Org-Id: tester").out())
                    .contains("sleeping: any method /sleeping", "client tenant: tester, mode enforce")
                    .doesNotContain("its mode is off");
        }

        @Test
        void saysWhereACallerIsNotKnownBeforeTheLogin() throws IOException {
            String limits = """
                endpoints:
                  - { id: shop, pathPattern: /shop, per: [ ip ], tiers: [ { period: 1m, threshold: 5 } ] }
                  - { id: cart, pathPattern: /cart, per: [ principal ], tiers: [ { period: 1m, threshold: 5 } ] }
                clients: { list: [ { principal: ann, multiply: 10 } ] }
                """;
            String file =
                    Files.writeString(directory.resolve("shop.yml"), limits).toString();
            String note = "with Spring Security, the filter applies this endpoint before the login";
            assertThat(Invocation.of("explain", file, "GET", "/shop", "--user", "ann")
                            .out())
                    .contains(": 50 in ", note);
            assertThat(Invocation.of("explain", file, "GET", "/cart", "--user", "ann")
                            .out())
                    .contains(": 50 in ")
                    .doesNotContain(note);
            assertThat(Invocation.of("explain", file, "GET", "/shop", "--user", "eve")
                            .out())
                    .contains(": 5 in ")
                    .doesNotContain(note);
        }

        @Test
        void printsNothingThatATerminalObeys() {
            assertThat(explain("GET", "/user/%1b%5b2Ja").out()).contains("user=\"\\u001b[2Ja\", from path:name");
            assertObeysNothing(explain("GET", "/night\u001b[2J"));
            assertObeysNothing(explain("GET", "/\u009b2J"));
            assertObeysNothing(explain("G\u001b[2JET", "/night"));
            assertObeysNothing(explain("GET", "/night", "--ip", "\u001b[2J"));
        }

        @Test
        void printsNoneOfItFromTheFileEither() throws IOException {
            file = write("""
                subjects: { tenant: [ "header:X-Org-Id" ] }
                clients: [ { tenant: [ acme, "\\e[2J" ], multiply: 2 } ]
                endpoints:
                  - { id: a, pathPattern: "/a/**", when: { tenant: [ acme, "\\e[3J" ] }, tiers: [ { period: 1h, threshold: 1 } ] }
                """);
            Invocation explained = explain("GET", "/a", "-H", "X-Org-Id: acme");
            assertThat(explained.out()).contains("\\u001b[2J", "\\u001b[3J");
            assertObeysNothing(explained);
            assertObeysNothing(explain("GET", "/a", "-H", "X-Org-Id: other"));
        }

        private void assertObeysNothing(Invocation run) {
            assertThat(run.out() + run.err()).isNotEmpty().doesNotContain("\u001b", "\u009b");
        }

        @Test
        void takesTheTimeFromTheOptionForCountersAndHeaders() throws IOException {
            file = write("headers: { reset: epoch }\n" + Files.readString(Path.of(file)));
            assertThat(explain("GET", "/sale", "--at", "2026-11-21T03:30:00Z").out())
                    .containsSubsequence(":sale:*:1h:1795230000000:1795233600000", "  x-ratelimit-reset: 1795233600");
        }

        @Test
        void takesWhatOnlyAnApplicationKnowsFromOptions() {
            String[] moment = {"--at", "2026-11-21T03:30:00Z"};
            assertThat(explain("GET", "/sale", moment).out()).contains("app=none");
            assertThat(explain("GET", "/sale", with(moment, "--session", "s1")).out())
                    .contains("app=s1, from session");
            assertThat(explain("GET", "/sale", with(moment, "--session", "s1", "--attribute", "app=shop"))
                            .out())
                    .contains("app=shop, from attribute:app");
            assertThat(explain("GET", "/sale", with(moment, "--attribute", "app=shop", "--claim", "client_id=a=b"))
                            .out())
                    .contains("app=\"a=b\", from claim:client_id");
        }

        private String[] with(String[] options, String... more) {
            return Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new);
        }

        @Test
        void readsOddPathsAsTheFilterDoes() {
            assertThat(explain("POST", "/x/%2e%2e//log%69n;v=1").out()).contains("login: POST /login");
            assertThat(explain("GET", "/product/a%2fb").out()).contains("get-product: GET /product/*");
        }

        @Test
        void countsNothing() {
            assertThat(explain("POST", "/login").out()).contains("x-ratelimit-remaining: 4");
            assertThat(explain("POST", "/login").out()).contains("x-ratelimit-remaining: 4");
        }
    }

    @Nested
    class OfACallThatDoesNot {

        @Test
        void namesEndpointsForOtherMethods() {
            Invocation explained = explain("GET", "/login");
            assertThat(explained.out())
                    .isEqualToIgnoringNewLines(
                            "No endpoint matches GET /login  login matches the path, but is only for POST");
            assertThat(explained.exitCode()).isZero();
            assertThat(explain("post", "/login").out()).contains("login matches the path, but is only for POST");
        }

        @Test
        void namesEndpointsThatAreOff() {
            assertThat(explain("GET", "/sleeping").out()).contains("  sleeping matches the path, but its mode is off");
        }

        @Test
        void namesEndpointsThatDifferInCase() {
            assertThat(explain("POST", "/Login").out()).contains("  login would match if case did not matter: /login");
        }

        @Test
        void listsWhatThereIs() {
            assertThat(explain("GET", "/elsewhere").out())
                    .contains("the file has 12 endpoints:", "    get-product: GET /product/*", "(off)");
        }
    }

    @Nested
    class WithTrouble {

        @Test
        void everyProblemOfABadFileIsPrinted() throws IOException {
            file = write("- { id: a, pathPattern: /a, tiers: [ { period: 10 mins, threshold: 0 } ] }\n");
            Invocation explained = explain("GET", "/a");
            assertThat(explained.err())
                    .contains(file + ":1:48", file + ":1:68", "2 errors")
                    .hasLineCount(3);
            assertThat(explained.out()).isEmpty();
            assertThat(explained.exitCode()).isEqualTo(1);
        }

        @Test
        void aRequestThatIsNoneIsWrongUsage() {
            assertThat(explain("GET", "product/1").err())
                    .contains("PATH 'product/1' does not begin with a slash; write /product/1");
            assertThat(explain("GET", "http://localhost:8080/product/1?page=2").err())
                    .contains("PATH 'http://localhost:8080/product/1?page=2' is a full URL, not a path; "
                            + "write '/product/1?page=2'");
            assertThat(explain("GET", "https://shop.example").err()).contains("not a path; write '/'");
            assertThat(explain("GET", "/product/a b").err()).contains("write %20 for a space");
            assertThat(explain("G E T", "/product/1").err())
                    .contains("METHOD 'G E T' is not an HTTP method; write a method such as GET");
            assertThat(explain("GET", "/product/1", "-H", "X-Org-Id").err()).contains("write 'Name: value'");
            assertThat(explain("GET", "/product/1", "-H", "X: a\r\nY: b").err()).contains("is not a header");
            assertThat(explain("GET", "/product/1", "--ip", "localhost").err())
                    .contains("write 192.0.2.1 or 2001:db8::1");
            assertThat(explain("GET", "/product/1", "--ip", "localhost").exitCode())
                    .isEqualTo(2);
            assertThat(explain("GET", "/product/1", "--at", "03:00").err())
                    .contains("--at '03:00' is not a time with a zone; write 2026-12-24T18:30+01:00 or"
                            + " 2026-12-24T17:30Z");
            assertThat(explain("GET", "/product/1", "--at", "1969-12-31T23:59:59Z")
                            .err())
                    .contains("--at '1969-12-31T23:59:59Z' is out of range; write a time from 1970 to 2199");
            assertThat(explain("GET", "/product/1", "--at", "2200-01-01T00:00Z").err())
                    .contains("is out of range; write a time from 1970 to 2199");
            assertThat(explain("GET", "/product/1", "--at", "1970-01-01T00:00Z").exitCode())
                    .isZero();
            assertThat(explain("GET", "/product/1", "--at", "2199-12-31T23:59:59Z")
                            .exitCode())
                    .isZero();
            assertThat(explain("GET", "/product/1", "--ip", "1.2.3.999").err())
                    .contains("write 192.0.2.1 or 2001:db8::1");
            assertThat(explain("GET", "/product/1", "--claim", "a=1", "--claim", "a=2")
                            .err())
                    .contains("--claim 'a=2' repeats a name; give each name once");
            assertThat(explain("GET", "/product/1", "--claim", "client_id").err())
                    .contains("--claim 'client_id' is not a name and a value; write NAME=VALUE");
        }

        @Test
        void aRequestThatTheServerRefusesTakesOneLine() {
            Invocation explained = explain("GET", "/../../etc/passwd");
            assertThat(explained.err())
                    .contains("the server answers this request before the limiter sees it: HTTP/1.1 400 Bad Request")
                    .hasLineCount(1);
            assertThat(explained.exitCode()).isEqualTo(1);
        }
    }

    private Invocation explain(String method, String path, String... options) {
        String[] arguments = new String[options.length + 4];
        arguments[0] = "explain";
        arguments[1] = file;
        arguments[2] = method;
        arguments[3] = path;
        System.arraycopy(options, 0, arguments, 4, options.length);
        return Invocation.of(arguments);
    }

    private String write(String text) throws IOException {
        return Files.writeString(directory.resolve("rate-limits.yml"), text).toString();
    }
}

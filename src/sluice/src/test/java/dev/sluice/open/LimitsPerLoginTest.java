package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Eventually;
import dev.sluice.LoginTicket;
import dev.sluice.LoginTicket.Attempt;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverride;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A limit {@code per: [ login ]} counts the failed logins of an account, whoever tries them. */
class LimitsPerLoginTest {

    private static final String ACCOUNTS = """
            - { id: accounts, pathPattern: /login, per: [ login ], count: { outcome: login-failure },
                tiers: [ { period: 1d, threshold: 3 } ] }
            """;
    private static final String ADDRESSES = """
            - { id: addresses, pathPattern: /login, per: [ ip ], count: { outcome: login-failure },
                tiers: [ { period: 1d, threshold: 5 } ] }
            """;

    private final List<Decision> heard = new CopyOnWriteArrayList<>();
    private final List<Call> callsHeard = new CopyOnWriteArrayList<>();
    private Sluice sluice = open(ACCOUNTS);

    private Sluice open(String limits) {
        if (sluice != null) {
            sluice.close();
        }
        sluice = Sluice.builder()
                .config(GivenFile.of(limits))
                .listener(new RateLimitListener() {
                    @Override
                    public void onDecision(Call call, Decision decision) {
                        heard.add(decision);
                        callsHeard.add(call);
                    }
                })
                .open();
        return sluice;
    }

    @AfterEach
    void close() {
        sluice.close();
    }

    private static TestCall from(int address) {
        return TestCall.post("/login").from("10.1." + address / 256 + "." + address % 256);
    }

    private LoginTicket begun(int address) {
        Decision decision = sluice.decide(from(address));
        assertThat(decision.admitted()).isTrue();
        return (LoginTicket) Objects.requireNonNull(decision.ticket());
    }

    /** Whether the attempt of a call of its own may be made. */
    private boolean tries(int address, String name, boolean failing) {
        return tries(from(address), name, failing);
    }

    private boolean tries(TestCall request, String name, boolean failing) {
        Decision decision = sluice.decide(request);
        LoginTicket call = (LoginTicket) decision.ticket();
        if (call == null) {
            return false;
        }
        Attempt attempt = call.beginLogin(name);
        attempt.ended(failing);
        call.ended(failing ? 401 : 200);
        return attempt.refusal() == null;
    }

    private long triesOf(int addresses, String name) {
        return IntStream.range(0, addresses)
                .filter(address -> tries(address, name, true))
                .count();
    }

    @Test
    void aThousandAddressesShareTheTriesAtOneAccount() {
        assertThat(triesOf(1_000, "ann")).isEqualTo(3);
        assertThat(triesOf(1_000, "bob")).isEqualTo(3);
    }

    /** A caller who is exempt, has a large plan or only says so must not have more tries at the account of another. */
    @ParameterizedTest
    @CsvSource({
        "X-Org-Id, exempt, 3",
        "X-Org-Id, off, 3",
        "X-Org-Id, large, 3",
        "X-Org-Id, sale, 3",
        "X-Org-Id, helped, 6",
        "X-Org-Id, named, 7",
        "X-Plan, large, 3",
        "X-Plan, trusted, 3"
    })
    void changeOnlyForClientsWhoseSettingsNameThem(String header, String value, int expected) {
        open("""
            secrets: { key: "0123456789abcdef0123456789abcdef" }
            limits: { refresh: 100ms }
            plans: { large: { multiply: 10 }, trusted: { exempt: true } }
            clients:
              planFrom: [ "header:X-Plan" ]
              list:
                - { tenant: exempt, exempt: true }
                - { tenant: off, mode: "off" }
                - { tenant: large, multiply: 10 }
                - { tenant: named, endpoints: { account: [ { period: 1d, threshold: 7 } ] } }
            endpoints:
              - { id: account, pathPattern: /**, per: [ login ], count: { outcome: login-failure },
                  tiers: [ { period: 1d, threshold: 3 } ] }
            """);
        set(new ClientOverride("tenant", "sale", "*", "x2"));
        set(new ClientOverride("tenant", "helped", "account", "x2"));
        int tries = 0;
        while (tries < 20 && tries(from(tries).with(header, value), "ann", true)) {
            tries++;
        }
        assertThat(tries).isEqualTo(expected);
    }

    private void set(ClientOverride limit) {
        assertThat(sluice.setLimit(limit, Duration.ZERO, "", "")).isCompletedWithValue(true);
        Eventually.await(
                "the limit in force",
                () -> sluice.limits().overrides().stream()
                        .anyMatch(one -> one.who().containsValue(List.of(limit.value()))
                                || one.who().toString().contains(limit.value())));
    }

    @Test
    void aRefusalSaysWhenToRetryAndHidesTheName() {
        triesOf(3, "ann@example.org");
        Decision refusal =
                Objects.requireNonNull(begun(9).beginLogin("ann@example.org").refusal());
        assertThat(refusal.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(refusal.retryAfterSeconds()).isPositive();
        assertThat(refusal.subjects()).extracting(Subject::source).containsExactly("hash(login)");
        assertThat(heard.toString()).contains("#").doesNotContain("ann@");
        assertThat(callsHeard).allMatch(call -> call.login() == null);
    }

    @Test
    void theSameSpellsTheSameAccount() {
        assertThat(tries(1, "Ann", true)).isTrue();
        assertThat(tries(2, " ann", true)).isTrue();
        assertThat(tries(3, "\uFF41nn", true)).isTrue();
        assertThat(tries(4, "ANN\u200B", true)).isFalse();
    }

    @Test
    void successesCountNothing() {
        for (int i = 0; i < 20; i++) {
            assertThat(tries(i, "ann", false)).isTrue();
        }
        assertThat(triesOf(9, "ann")).isEqualTo(3);
    }

    @Test
    void theRightPasswordIsRefusedToo() {
        triesOf(3, "ann");
        assertThat(tries(9, "ann", false)).isFalse();
    }

    @Test
    void callsWithoutAttemptsTakeNothing() {
        for (int i = 0; i < 50; i++) {
            LoginTicket call = begun(i);
            call.loginEnded(true);
            call.ended(401);
        }
        assertThat(triesOf(9, "ann")).isEqualTo(3);
        assertThat(triesOf(9, "")).isEqualTo(3);
    }

    @Test
    void attemptsWithoutANameTakeNothing() {
        for (int i = 0; i < 9; i++) {
            Attempt attempt = begun(i).beginLogin(null);
            assertThat(attempt.refusal()).isNull();
            attempt.ended(true);
        }
    }

    @Test
    void attemptsAtTheSameTimeHaveAPermitEach() {
        List<Attempt> inFlight =
                IntStream.range(0, 3).mapToObj(i -> begun(i).beginLogin("ann")).toList();
        inFlight.forEach(attempt -> attempt.ended(true));
        assertThat(tries(9, "ann", true)).isFalse();
    }

    @Test
    void anAttemptCountsAfterItsCallHasEnded() {
        LoginTicket call = begun(1);
        call.ended(202);
        IntStream.range(0, 3).forEach(i -> call.beginLogin("ann").ended(true));
        assertThat(call.beginLogin("ann").refusal()).isNotNull();
    }

    @Test
    void aFailureThatTheApplicationReportsAfterASuccessCountsForTheName() {
        for (int i = 0; i < 3; i++) {
            LoginTicket call = begun(i);
            call.beginLogin("ann").ended(false);
            call.loginEnded(true); // such as a wrong second factor
            call.ended(401);
        }
        assertThat(tries(9, "ann", true)).isFalse();
    }

    @Test
    void aCallThatHasItsNameIsDecidedAtOnce() {
        for (int i = 0; i < 3; i++) {
            Decision decision = sluice.decide(from(i).with("login", "ann"));
            Objects.requireNonNull(decision.ticket()).loginEnded(true);
            decision.ended(401);
        }
        assertThat(sluice.decide(from(9).with("login", "Ann")).admitted()).isFalse();
        assertThat(sluice.decide(from(9).with("login", "bob")).admitted()).isTrue();
    }

    @Test
    void inADryRunAllPass() {
        open(ACCOUNTS.replace("per:", "mode: dry-run, per:"));
        assertThat(triesOf(9, "ann")).isEqualTo(9);
        assertThat(heard)
                .extracting(Decision::outcome)
                .contains(Outcome.WOULD_REFUSE)
                .doesNotContain(Outcome.REFUSED);
    }

    @Nested
    class BesideALimitPerAddress {

        @Test
        void eachHoldsForItself() {
            open(ACCOUNTS + ADDRESSES);
            assertThat(IntStream.range(0, 20)
                            .filter(i -> tries(1, "name" + i, true))
                            .count())
                    .isEqualTo(5);
            assertThat(triesOf(1_000, "ann")).isEqualTo(3);
        }

        @Test
        void anAttemptThatTheAccountRefusesTakesNothingOfTheAddress() {
            open(ACCOUNTS + ADDRESSES);
            triesOf(3, "ann");
            for (int i = 0; i < 20; i++) {
                assertThat(tries(77, "ann", true)).isFalse();
            }
            assertThat(IntStream.range(0, 20)
                            .filter(i -> tries(77, "name" + i, true))
                            .count())
                    .isEqualTo(5);
        }

        @Test
        void anAttemptThatTheAddressRefusesTakesNothingOfTheAccount() {
            open(ACCOUNTS + ADDRESSES);
            LoginTicket call = begun(77);
            IntStream.range(0, 5).forEach(i -> call.beginLogin("name" + i).ended(true));
            for (int i = 0; i < 9; i++) {
                assertThat(call.beginLogin("ann").refusal()).isNotNull();
            }
            assertThat(triesOf(9, "ann")).isEqualTo(3);
        }
    }

    @Test
    void withBothSubjectsEachPairCounts() {
        open(ACCOUNTS.replace("[ login ]", "[ login, ip ]"));
        assertThat(IntStream.range(0, 9).filter(i -> tries(1, "ann", true)).count())
                .isEqualTo(3);
        assertThat(IntStream.range(0, 9).filter(i -> tries(2, "ann", true)).count())
                .isEqualTo(3);
        assertThat(IntStream.range(0, 9).filter(i -> tries(1, "bob", true)).count())
                .isEqualTo(3);
    }

    @Test
    void inventedNamesEvictNoOtherCounters() {
        String small = "maximumCounters: 2000\nendpoints:\n" + ("""
            - { id: shop, pathPattern: /shop, per: [ "header:X-Org-Id" ], tiers: [ { period: 1d, threshold: 100 } ] }
            """ + ACCOUNTS).indent(2);
        open(small);
        for (int tenant = 0; tenant < 2_000; tenant++) {
            sluice.decide(TestCall.get("/shop").of("t" + tenant));
        }
        IntStream.range(0, 9).forEach(i -> tries(i, "ann", true));
        for (int name = 0; name < 20_000; name++) {
            tries(name % 7, "made-up-" + name, true);
        }
        for (int tenant = 0; tenant < 2_000; tenant++) {
            assertThat(sluice.decide(TestCall.get("/shop").of("t" + tenant)).remaining())
                    .as("tenant %s", tenant)
                    .isEqualTo(98);
        }
        assertThat(tries(1, "ann", true)).as("a used-up account").isFalse();
        assertThat(sluice.status().evictions()).as("room for 500 names").isEqualTo(20_001 - 500);
    }
}

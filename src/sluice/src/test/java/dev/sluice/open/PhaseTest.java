package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.Phase;
import dev.sluice.TestCall;
import dev.sluice.Ticket;
import dev.sluice.limits.ClientOverride;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which endpoints are asked before authentication and which after, and how failed logins count. */
class PhaseTest {

    private static final Call ANN = new TestCall("GET", "/a", "192.0.2.1", Map.of("principal", "ann"));

    /** One endpoint that needs no authentication, and one that does. */
    private static final String WITH_USERS = """
        subjects: { user: [ principal ] }
        %s
        endpoints:
          - { id: all, pathPattern: /a, per: [], tiers: [ { period: 1d, threshold: 2 } ] }
          - { id: known, pathPattern: /a, per: [ user ], when: { principal: present },
              tiers: [ { period: 1d, threshold: 2 } ] }
        """;

    private static Sluice open(String file) {
        return Sluice.builder()
                .config(GivenFile.of(file))
                .resolver("owner", call -> null)
                .open();
    }

    private static Sluice endpoint(String keys) {
        return open("- { id: a, pathPattern: /a, tiers: [ { period: 1d, threshold: 2 } ], " + keys + " }");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        per: [ ip ]                                           | BEFORE_AUTHENTICATION
        per: []                                               | BEFORE_AUTHENTICATION
        per: [ session, 'header:X' ]                          | BEFORE_AUTHENTICATION
        per: [ ip, principal ]                                | AFTER_AUTHENTICATION
        per: [ 'claim:client_id' ]                            | AFTER_AUTHENTICATION
        per: [ 'hash(claim:client_id)' ]                      | AFTER_AUTHENTICATION
        per: [ 'attribute:tenant' ]                           | AFTER_AUTHENTICATION
        per: [ owner ]                                        | AFTER_AUTHENTICATION
        per: [ ip ], when: { principal: present }             | AFTER_AUTHENTICATION
        per: [ ip ], count: { outcome: login-failure }        | BEFORE_AUTHENTICATION
        per: [ principal ], count: { status: [ 401 ] }        | AFTER_AUTHENTICATION
        """)
    void aDefinitionBelongsToOnePhase(String keys, Phase phase) {
        try (Sluice sluice = endpoint(keys.strip())) {
            assertThat(sluice.phaseOf(sluice.limits().endpoints().get(0))).isEqualTo(phase);
            Phase other =
                    phase == Phase.AFTER_AUTHENTICATION ? Phase.BEFORE_AUTHENTICATION : Phase.AFTER_AUTHENTICATION;
            assertThat(sluice.in(other).decide(ANN).outcome()).isEqualTo(Decision.Outcome.UNLIMITED);
            assertThat(sluice.in(phase).decide(ANN).remaining()).isEqualTo(1);
            assertThat(sluice.decide(ANN).remaining()).as("the same counter").isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clients: [ { user: ann, exempt: true } ]",
                "clients: [ { user: ann, endpoints: { all: [ { period: 1d, threshold: 9 } ] } } ]",
                "plans: { pro: { multiply: 10 } }\nclients: { planFrom: 'claim:plan' }",
                "plans: { pro: { multiply: 10 } }\nclients: { planFrom: principal, defaultPlan: pro }"
            })
    void clientsAndPlansThatAuthenticationYieldsMoveNoEndpoint(String clients) {
        try (Sluice sluice = open(WITH_USERS.formatted(clients))) {
            assertThat(sluice.phaseOf(sluice.limits().endpoints().get(0))).isEqualTo(Phase.BEFORE_AUTHENTICATION);
            assertThat(sluice.phaseOf(sluice.limits().endpoints().get(1))).isEqualTo(Phase.AFTER_AUTHENTICATION);
        }
    }

    @Test
    void aLimitThatAnOperatorSetsForAPrincipalMovesNoEndpoint() {
        try (Sluice sluice = open(WITH_USERS.formatted(""))) {
            sluice.setLimit(new ClientOverride("user", "ann", "*", "x2"), Duration.ZERO, "", "")
                    .toCompletableFuture()
                    .join();
            Eventually.await(
                    "it is in force", () -> !sluice.limits().overrides().isEmpty());
            assertThat(sluice.phaseOf(sluice.limits().endpoints().get(0))).isEqualTo(Phase.BEFORE_AUTHENTICATION);
            assertThat(sluice.in(Phase.AFTER_AUTHENTICATION).decide(ANN).remaining())
                    .as("twice two, less this call")
                    .isEqualTo(3);
        }
    }

    private static Ticket ticket(Sluice sluice) {
        Decision decision = sluice.decide(ANN);
        assertThat(decision.admitted()).isTrue();
        return Objects.requireNonNull(decision.ticket());
    }

    private static boolean isAdmitted(Sluice sluice) {
        Decision decision = sluice.decide(ANN);
        Ticket ticket = decision.ticket();
        if (ticket != null) {
            ticket.ended(200);
        }
        return decision.admitted();
    }

    @Test
    void failedLoginsCountAndNothingElseDoes() {
        try (Sluice sluice = endpoint("per: [ ip ], count: { outcome: login-failure }")) {
            for (int i = 0; i < 5; i++) {
                ticket(sluice).ended(i % 2 == 0 ? 401 : Ticket.UNANSWERED);
            }
            for (int i = 0; i < 2; i++) {
                Ticket login = ticket(sluice);
                login.loginEnded(true);
                login.ended(302);
            }
            assertThat(isAdmitted(sluice)).isFalse();
        }
    }

    @Test
    void loginsInFlightHoldPermitsUntilTheyHaveNotFailed() {
        try (Sluice sluice = endpoint("per: [ ip ], count: { outcome: login-failure }")) {
            Ticket one = ticket(sluice);
            Ticket other = ticket(sluice);
            assertThat(isAdmitted(sluice)).as("while two logins are in flight").isFalse();
            one.loginEnded(false);
            assertThat(isAdmitted(sluice)).as("one of which has not failed").isTrue();
            one.ended(200);
            other.loginEnded(true);
            other.ended(302);
            assertThat(isAdmitted(sluice)).as("one has failed").isTrue();
            Ticket again = ticket(sluice);
            again.loginEnded(false);
            again.loginEnded(true);
            again.ended(302);
            assertThat(isAdmitted(sluice))
                    .as("a second try of one who was logged in")
                    .isFalse();
        }
    }

    @Test
    void aCallWhoseLoginIsReportedTwiceCountsOnce() {
        try (Sluice sluice = endpoint("per: [ ip ], count: { outcome: login-failure }")) {
            Ticket login = ticket(sluice);
            login.loginEnded(false);
            login.loginEnded(true);
            login.loginEnded(true);
            login.ended(401);
            assertThat(isAdmitted(sluice)).as("one of two has failed").isTrue();
        }
    }
}

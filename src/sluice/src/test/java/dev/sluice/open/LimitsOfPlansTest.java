package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Call;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.limits.ClientOverride;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits that operators set for all callers of a plan, outside the file. */
class LimitsOfPlansTest {

    private final TestClock clock = new TestClock(0);

    private final Sluice sluice =
            Sluice.builder().config(new GivenFile("""
                limits: { refresh: 100ms }
                plans:
                  free: {}
                  pro: { multiply: 3, endpoints: { export: [ { period: 1h, threshold: 7 } ] } }
                  trial: { mode: dry-run }
                clients:
                  planFrom: [ "header:X-Plan" ]
                  list:
                    - { tenant: twice, plan: pro, multiply: 2, endpoints: { export: [ { period: 1h, threshold: 9 } ] } }
                    - { tenant: spared, plan: pro, exempt: true }
                endpoints:
                  - { id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 4 } ] }
                  - { id: export, pathPattern: /export, tiers: [ { period: 1h, threshold: 2 } ] }
                  - { id: all, pathPattern: /all, per: [], tiers: [ { period: 1h, threshold: 5 } ] }
                """)).clock(clock).open();

    @AfterEach
    void close() {
        sluice.close();
    }

    private void set(ClientOverride limit) {
        assertThat(sluice.setLimit(limit, Duration.ZERO, "", "")).isCompletedWithValue(true);
        Eventually.await(
                "the limit in force",
                () -> sluice.limits().overrides().stream()
                        .anyMatch(one -> one.who().containsKey(limit.subject())
                                && one.endpoints().isEmpty() == limit.endpoint().equals("*")));
    }

    private static TestCall call(String path, String tenant, String plan) {
        TestCall call = TestCall.get(path).of(tenant);
        return plan.isEmpty() ? call : call.with("X-Plan", plan);
    }

    private long passed(Call call) {
        long passed = 0;
        while (passed < 100 && sluice.decide(call).admitted()) {
            passed++;
        }
        return passed;
    }

    @ParameterizedTest
    @CsvSource({
        "/shop, some, pro, 24",
        "/export, some, pro, 14",
        "/shop, twice, '', 48",
        "/export, twice, '', 18",
        "/shop, some, free, 4",
        "/shop, some, '', 4",
        "/all, some, pro, 5",
        "/shop, spared, '', 100",
    })
    void aFactorMultipliesWhatTheFileAllowsEachCallerOfThePlan(String path, String tenant, String plan, int expected) {
        set(ClientOverride.ofPlan("pro", "*", "x2"));
        assertThat(passed(call(path, tenant, plan))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/shop, some, pro, 10",
        "/export, some, pro, 7",
        "/shop, twice, '', 20",
        "/shop, some, free, 4",
    })
    void tiersReplaceThoseOfThePlan(String path, String tenant, String plan, int expected) {
        set(ClientOverride.ofPlan("pro", "shop", "10/1h"));
        assertThat(passed(call(path, tenant, plan))).isEqualTo(expected);
    }

    @Test
    void aClientsOwnTiersInTheFileReplaceThoseSetForItsPlan() {
        set(ClientOverride.ofPlan("pro", "export", "3/1h"));
        assertThat(passed(call("/export", "some", "pro"))).isEqualTo(3);
        assertThat(passed(call("/export", "twice", ""))).isEqualTo(9);
    }

    @Test
    void tiersOfOnePlanForAllCallersTogetherAreOneCount() {
        set(ClientOverride.ofPlan("pro", "all", "8/1h"));
        assertThat(passed(call("/all", "some", ""))).isEqualTo(5);
        assertThat(passed(call("/all", "some", "pro"))).isEqualTo(3);
    }

    @Test
    void theModeOfThePlanStays() {
        set(ClientOverride.ofPlan("trial", "shop", "3/1h"));
        assertThat(passed(call("/shop", "some", "trial"))).isEqualTo(100);
    }

    /** For each endpoint, one override applies: they do not stack. */
    @Nested
    class AreNotAddedTo {

        @Test
        void aClientsOwn() {
            set(ClientOverride.ofPlan("pro", "shop", "x2"));
            set(new ClientOverride("tenant", "some", "*", "x0.5"));
            assertThat(passed(call("/shop", "some", "pro"))).isEqualTo(6);
            assertThat(passed(call("/shop", "other", "pro"))).isEqualTo(24);
        }

        @Test
        void theOneForThisEndpoint() {
            set(ClientOverride.ofPlan("pro", "*", "x5"));
            set(ClientOverride.ofPlan("pro", "shop", "x1.5"));
            assertThat(passed(call("/shop", "some", "pro"))).isEqualTo(18);
            assertThat(passed(call("/export", "some", "pro"))).isEqualTo(35);
        }
    }

    @Nested
    class KeepCounts {

        @Test
        void whenTheyAreSetAndUnset() throws Exception {
            assertThat(passed(call("/shop", "some", "free"))).isEqualTo(4);
            set(ClientOverride.ofPlan("free", "shop", "6/1h"));
            assertThat(passed(call("/shop", "some", "free"))).isEqualTo(2);
            assertThat(sluice.unsetLimit(ClientOverride.ofPlan("free", "shop", ""), "", ""))
                    .isCompletedWithValue(true);
            Eventually.await(
                    "the limit of the file", () -> sluice.limits().overrides().isEmpty());
            assertThat(sluice.decide(call("/shop", "some", "free")).limit()).isEqualTo(4);
            assertThat(passed(call("/shop", "some", "free"))).isZero();
        }

        @Test
        void whenACallerChangesItsPlan() {
            set(ClientOverride.ofPlan("pro", "*", "x2"));
            assertThat(passed(call("/shop", "some", "free"))).isEqualTo(4);
            clock.advance(Duration.ofMillis(200));
            assertThat(passed(call("/shop", "some", "pro"))).isEqualTo(20);
            clock.advance(Duration.ofMillis(200));
            assertThat(passed(call("/shop", "some", "free"))).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prp|shop|x2|plan shop: there is no plan prp in limits.yml; did you mean pro?",
                "pro|shp|x2|plan shp: there is no endpoint shp in limits.yml; did you mean shop?",
                "pro|*|5/1s|plan *: a limit for all endpoints must be a factor, such as x2; 5/1s can be set"
                        + " only for a single endpoint",
                "pro|shop|x0|plan shop: \"x0\" is not a factor from 0.001 to 1000000, with at most 3 decimal places;"
                        + " write, for example, x2, 1.5x or 150%",
            })
    void mistakesAreRefused(String plan, String endpoint, String tiers, String expected) {
        ClientOverride limit = ClientOverride.ofPlan(plan, endpoint, tiers);
        assertThatThrownBy(() -> sluice.setLimit(limit, Duration.ZERO, "", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(expected);
    }
}

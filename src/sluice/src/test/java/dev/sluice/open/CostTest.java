package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Cost;
import dev.sluice.Cost.Settling;
import dev.sluice.CostResolver;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.config.extension.GuardedExtensions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The costs of calls, as the file sets them. */
class CostTest {

    private static Cost cost(String written, String... resolvers) {
        return GivenFile.withEndpoint("cost: " + written)
                .load(resolvers)
                .limits()
                .endpoints()
                .get(0)
                .cost();
    }

    @Test
    void isANumber() {
        assertThat(cost("5")).isEqualTo(Cost.fixed(5));
        assertThat(cost("\"${COST:5}\"")).isEqualTo(Cost.fixed(5));
    }

    @Test
    void isChargedByTheApplication() {
        assertThat(cost("charged")).isEqualTo(Cost.CHARGED);
    }

    @Test
    void isFoundByAResolver() {
        assertThat(cost("by-size", "by-size").name()).isEqualTo("by-size");
    }

    @Nested
    class Reserved {

        @Test
        void isAnEstimateByHeader() {
            Cost cost = cost("{ reserve: \"header:X-Estimate\", default: 800, settle: charged }");
            assertThat(cost.settling()).isEqualTo(Settling.KEEP);
            assertThat(cost.name()).isEqualTo("header:X-Estimate or 800");
            TestCall call = TestCall.get("/product/1");
            assertThat(cost.resolver().resolve(call)).isEqualTo(800);
            assertThat(cost.resolver().resolve(call.with("X-Estimate", "0"))).isEqualTo(800);
            assertThat(cost.resolver().resolve(call.with("X-Estimate", "many"))).isEqualTo(800);
            assertThat(cost.resolver().resolve(call.with("X-Estimate", "60"))).isEqualTo(60);
        }

        @Test
        void isAFixedEstimateOrThatOfAResolver() {
            Cost fixed = cost("{ reserve: 5, unsettled: refund }");
            assertThat(fixed.settling()).isEqualTo(Settling.REFUND);
            assertThat(fixed.each()).isEqualTo(5);
            assertThat(cost("{ reserve: by-size }", "by-size").settling()).isEqualTo(Settling.KEEP);
        }

        @Test
        void isSettledThroughTheDecision() {
            String file = GivenFile.SMALLEST + "  cost: { reserve: \"header:X-Estimate\", default: 100 }\n";
            try (Sluice sluice = Sluice.builder()
                    .config(new GivenFile(file))
                    .clock(new TestClock(0))
                    .open()) {
                Decision call = sluice.decide(TestCall.get("/product/1").with("X-Estimate", "600"));
                assertThat(call.remaining()).isEqualTo(400);
                assertThat(call.ticket().settle(250)).isTrue();
                assertThat(sluice.decide(TestCall.get("/product/1")).remaining())
                        .isEqualTo(650);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"charged", "5", "-1", "header:X", "", " ", "1st"})
    void leavesNoNameToAResolverThatMeansSomethingElse(String name) {
        assertThatThrownBy(() -> Sluice.builder().costResolver(name, call -> 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be named \"" + name + "\"");
    }

    @Nested
    class OfAHeader {

        private final CostResolver resolver = cost("\"header:X-Cost\"").resolver();

        @ParameterizedTest
        @CsvSource({
            "1, 1",
            "42, 42",
            "007, 7",
            "0, 1",
            "000, 1",
            "-5, 1",
            "+5, 1",
            "1.5, 1",
            "1e3, 1",
            "0x10, 1",
            "'', 1",
            "' ', 1",
            "' 5 ', 5",
            "five, 1",
            "5 5, 1",
            "٥, 1",
            "999999999999, 999999999999",
            "1000000000001, 1000000000000",
            "9223372036854775808, 1000000000000",
            "00000000000000000000000000000000000003, 3"
        })
        void isBoundedAndNeverFree(String sent, long cost) {
            assertThat(resolver.resolve(TestCall.get("/product/1").with("X-Cost", sent)))
                    .isEqualTo(cost);
        }

        @Test
        void isOneWhereTheHeaderIsMissing() {
            assertThat(resolver.resolve(TestCall.get("/product/1"))).isEqualTo(1);
        }

        @Test
        void decides() {
            String file = GivenFile.SMALLEST + "  cost: \"header:X-Cost\"\n";
            try (Sluice sluice = Sluice.builder()
                    .config(new GivenFile(file))
                    .clock(new TestClock(0))
                    .open()) {
                TestCall dear = TestCall.get("/product/1").with("X-Cost", "600");
                assertThat(sluice.decide(dear).remaining()).isEqualTo(400);
                assertThat(sluice.decide(dear).outcome()).isEqualTo(Outcome.REFUSED);
                assertThat(sluice.decide(TestCall.get("/product/1")).remaining())
                        .isEqualTo(399);
            }
        }
    }

    @Test
    void isOneWhereItsResolverFailsAndThatIsLoggedOnceForEachKindOfFailure() {
        RecordingLogger log = new RecordingLogger();
        List<RuntimeException> toThrow = new ArrayList<>(
                List.of(new IllegalStateException(), new IllegalStateException(), new NullPointerException()));
        CostResolver guarded = new GuardedExtensions(log).guardedCost("by-size", call -> {
            throw toThrow.remove(0);
        });
        for (int i = 0; i < 3; i++) {
            assertThat(guarded.resolve(TestCall.get("/"))).isEqualTo(1);
        }
        assertThat(log.entries())
                .hasSize(2)
                .allMatch(entry -> entry.startsWith("WARN The cost resolver \"by-size\" failed. These calls cost 1"));
    }

    @Test
    void ofARegisteredResolverDecides() {
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile(GivenFile.SMALLEST + "  cost: by-size\n"))
                .costResolver("by-size", call -> call.path().length())
                .clock(new TestClock(0))
                .open()) {
            assertThat(sluice.decide(TestCall.get("/product/1")).remaining()).isEqualTo(990);
        }
    }

    @Nested
    class CountedStatuses {

        private List<Integer> counted(String status) {
            return GivenFile.withEndpoint("count: { status: " + status + " }")
                    .load()
                    .limits()
                    .endpoints()
                    .get(0)
                    .countedStatuses()
                    .stream()
                    .sorted()
                    .toList();
        }

        @Test
        void areNumbers() {
            assertThat(counted("[ 403, 401 ]")).containsExactly(401, 403);
        }

        @Test
        void areClasses() {
            assertThat(counted("[ 401, 5xx ]")).hasSize(101).contains(401, 500, 599);
            assertThat(counted("[ \"4xx\", 401 ]")).hasSize(100);
        }

        @Test
        void areAllIfNothingIsSaid() {
            assertThat(new GivenFile(GivenFile.SMALLEST)
                            .load()
                            .limits()
                            .endpoints()
                            .get(0)
                            .countedStatuses())
                    .isEmpty();
        }
    }
}

package dev.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limiter.FleetSimulation.Result;
import dev.sluice.limiter.FleetSimulation.Spread;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far a fleet passes or misses its limit, and what it asks of the store, over minutes of virtual time. */
class FleetSimulationTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    3 | 1000 | 2  | EVEN       | 0.1 | 1
                    3 | 1000 | 10 | EVEN       | 0.1 | 1
                    3 | 1000 | 2  | SKEWED     | 0.1 | 1
                    3 | 1000 | 10 | RESHUFFLED | 0.1 | 2
                    8 | 1000 | 2  | RESHUFFLED | 0.1 | 2
                    8 | 1000 | 10 | EVEN       | 0.1 | 1
                    8 | 1000 | 10 | RESHUFFLED | 0.1 | 2
                    3 | 100  | 2  | EVEN       | 0.1 | 1
                    3 | 100  | 10 | RESHUFFLED | 0.1 | 2
                    8 | 100  | 10 | EVEN       | 0.2 | 1
                    """)
    void overTheLimitItAdmitsHardlyMoreAndHardlyLess(
            int instances, long threshold, double times, Spread spread, double meanOver, double meanUnder) {
        Result result = FleetSimulation.run(instances, threshold, times, spread);

        assertThat(result.meanOver()).as(result.toString()).isLessThanOrEqualTo(meanOver);
        assertThat(result.maxOver()).as(result.toString()).isLessThanOrEqualTo(5);
        assertThat(result.meanUnder()).as(result.toString()).isLessThanOrEqualTo(meanUnder);
    }

    @ParameterizedTest
    @CsvSource({"3, 1000, EVEN", "3, 1000, SKEWED", "8, 1000, EVEN"})
    void wellBelowTheLimitNobodyIsRefusedAndTheStoreIsAskedTwiceASecond(int instances, long threshold, Spread spread) {
        Result result = FleetSimulation.run(instances, threshold, 0.4, spread);

        assertThat(result.refusedEarly()).as(result.toString()).isZero();
        assertThat(result.meanUnder()).as(result.toString()).isZero();
        assertThat(result.roundTrips()).as(result.toString()).isLessThanOrEqualTo(2);
    }
}

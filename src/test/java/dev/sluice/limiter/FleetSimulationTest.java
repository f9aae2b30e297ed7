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
                    3 | 1000 | 10 | RESHUFFLED | 0.1 | 0.1
                    8 | 1000 | 2  | RESHUFFLED | 0.1 | 0.3
                    8 | 1000 | 10 | EVEN       | 0.1 | 1
                    8 | 1000 | 10 | RESHUFFLED | 0.1 | 0.5
                    8 | 1000 | 10 | BURSTS     | 0.4 | 0.1
                    3 | 100  | 2  | EVEN       | 0.1 | 1
                    3 | 100  | 10 | RESHUFFLED | 0.2 | 1
                    8 | 100  | 10 | EVEN       | 0.3 | 1
                    """)
    void overTheLimitItAdmitsHardlyMoreAndHardlyLess(
            int instances, long threshold, double times, Spread spread, double meanOver, double meanUnder) {
        Result result = FleetSimulation.run(instances, threshold, times, spread);

        assertThat(result.meanOver()).as(result.toString()).isLessThanOrEqualTo(meanOver);
        assertThat(result.maxOver()).as(result.toString()).isLessThanOrEqualTo(5);
        assertThat(result.meanUnder()).as(result.toString()).isLessThanOrEqualTo(meanUnder);
    }

    /** The published rule asks for 60 with three instances, 160 with eight: an INCRBY and an EXPIRE a second for each that is called. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    3 | 2  | EVEN       | 25
                    3 | 2  | SKEWED     | 25
                    3 | 2  | BURSTS     | 31
                    3 | 2  | COLD       | 30
                    3 | 2  | RESHUFFLED | 34
                    3 | 10 | EVEN       | 21
                    3 | 10 | COLD       | 27
                    3 | 10 | RESHUFFLED | 25
                    8 | 2  | EVEN       | 65
                    8 | 10 | COLD       | 60
                    8 | 2  | RESHUFFLED | 51
                    8 | 10 | RESHUFFLED | 51
                    """)
    void overTheLimitTheStoreIsAskedLittle(int instances, double times, Spread spread, double commands) {
        Result result = FleetSimulation.run(instances, 1000, times, spread);

        assertThat(result.commands()).as(result.toString()).isLessThanOrEqualTo(commands);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    3 | 1000 | EVEN       | 0.5
                    3 | 1000 | BURSTS     | 1
                    8 | 1000 | EVEN       | 0.5
                    8 | 1000 | BURSTS     | 1
                    8 | 1000 | RESHUFFLED | 0.5
                    """)
    void nearTheLimitHardlyAnyCallIsRefusedEarly(int instances, long threshold, Spread spread, double meanUnder) {
        Result result = FleetSimulation.run(instances, threshold, 0.98, spread);

        assertThat(result.meanUnder()).as(result.toString()).isLessThanOrEqualTo(meanUnder);
    }

    @ParameterizedTest
    @CsvSource({"3, 1000, EVEN", "3, 1000, SKEWED", "3, 1000, BURSTS", "3, 1000, COLD", "8, 1000, EVEN"})
    void wellBelowTheLimitNobodyIsRefusedAndTheStoreIsAskedTwiceASecond(int instances, long threshold, Spread spread) {
        Result result = FleetSimulation.run(instances, threshold, 0.4, spread);

        assertThat(result.refusedEarly()).as(result.toString()).isZero();
        assertThat(result.meanUnder()).as(result.toString()).isZero();
        assertThat(result.roundTrips()).as(result.toString()).isLessThanOrEqualTo(2);
    }
}

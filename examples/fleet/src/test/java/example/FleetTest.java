package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs the demonstration of {@link Fleet#main}. */
class FleetTest {

    @Test
    void sharesALimitWhateverIsKilled() throws Exception {
        assumeTrue(LocalTime.now(ZoneOffset.UTC).isBefore(LocalTime.of(23, 55)), "a day may end meanwhile");
        try (Fleet fleet = new Fleet()) {
            assertEquals(answers(10, 2), fleet.call("acme", 12));

            assertEquals(answers(3, 0), fleet.call("globex", 3));
            fleet.killAnInstance();
            assertEquals(answers(7, 2), fleet.call("globex", 9));

            fleet.killRedis();
            assertEquals(answers(6, 0), fleet.call("initech", 6));
            fleet.awaitLogs(Fleet.UNAVAILABLE);
            fleet.restartRedis();
            fleet.awaitLogs(Fleet.BACK);
            fleet.awaitReports();
            assertEquals(answers(4, 2), fleet.call("initech", 6));
        }
    }

    private static List<Integer> answers(int admitted, int refused) {
        return Stream.concat(
                        Collections.nCopies(admitted, 200).stream(),
                        Collections.nCopies(refused, 429).stream())
                .toList();
    }
}

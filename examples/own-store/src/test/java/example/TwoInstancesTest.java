package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.open.Sluice;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

/** Two instances together admit ten calls, by the clock of the database. */
class TwoInstancesTest {

    @Test
    void shareALimit() throws Exception {
        assumeThat(LocalTime.now(ZoneOffset.UTC)).as("a day may end meanwhile").isBefore(LocalTime.of(23, 55));
        JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:two", "sa", "");
        try (Sluice first = TwoInstances.instance(database);
                Sluice second = TwoInstances.instance(database)) {
            int admitted = 0;
            for (int call = 1; call <= 12; call++) {
                Sluice instance = call % 2 == 0 ? second : first;
                admitted += instance.decide(new TwoInstances.Product()).admitted() ? 1 : 0;
            }
            assertThat(admitted).isEqualTo(10);
        }
        database.dispose();
    }
}

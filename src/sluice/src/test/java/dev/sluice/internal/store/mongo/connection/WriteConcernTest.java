package dev.sluice.internal.store.mongo.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.WriteConcern;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of how many members the driver waits for a confirmation, and how long. */
class WriteConcernTest {

    private static WriteConcern of(String options) {
        return MongoSettings.writeConcern(new ConnectionString("mongodb://h/" + options), 700);
    }

    @ParameterizedTest
    @CsvSource({
        "'', majority",
        "?w=majority, majority",
        "?w=2, 2",
        "?w=1, 1",
        "?journal=true, majority",
        "?wtimeoutMS=90, majority",
        "?w=1&journal=true, 1"
    })
    void isTheMajorityUnlessTheUriSaysOtherwise(String options, String members) {
        assertThat(of(options).getWObject()).hasToString(members);
    }

    @Test
    void theServerWaitsNoLongerThanTheExchange() {
        assertThat(of("").getWTimeout(TimeUnit.MILLISECONDS)).isEqualTo(700);
        assertThat(of("?wtimeoutMS=90").getWTimeout(TimeUnit.MILLISECONDS)).isEqualTo(90);
    }
}

package dev.sluice.internal.store.mongo.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.exchange.CounterStore;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.LinkContract;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.limits.ClientOverrideSource;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counters, limits and news share one driver of MongoDB, which leaves nothing behind. */
@Timeout(120)
@Tag("store")
class MongoLinkTest extends LinkContract {

    /** Those of the link, and those by which the driver looks after servers and connections. */
    private static final Pattern OURS = Pattern.compile("(sluice-mongo-|cluster-|MaintenanceTimer-).*");

    @Override
    protected Server server() {
        MongoServerInProcess mongo = MongoServerInProcess.open();
        return new Server("mongodb://127.0.0.1:" + mongo.port(), mongo.patientUri(), mongo::close);
    }

    @Override
    protected boolean isOurs(Thread thread) {
        return OURS.matcher(thread.getName()).matches();
    }

    @Test
    void isClosedWhileNobodyIsThere() {
        Server gone = server();
        gone.close();
        try (CounterStore store = CounterStores.open(gone.patientUri());
                ClientOverrideSource limits = limits(store)) {
            store.subscribe("i", news -> {});
            var unused = limits.changedSince("");
        }
    }

    /** A process that has just started has to load the driver, to connect and to log in. */
    @Test
    void theFirstAnswerMayTakeLonger() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open()) {
            MongoAddress address = Objects.requireNonNull(MongoAddressParser.parse(mongo.uri()));
            Eventually.await("a first answer after more than a second", () -> {
                MongoLink link = MongoLink.open(address);
                try {
                    return answersWithinItsTime(link);
                } finally {
                    link.close();
                }
            });
            MongoLink link = MongoLink.open(address);
            Eventually.await(
                    "an answer",
                    () -> link.use(database -> true)
                            .exceptionally(failure -> false)
                            .join());
            assertThat(answersWithinItsTime(link)).isFalse();
            link.close();
        }
    }

    private static boolean answersWithinItsTime(MongoLink link) {
        return link.use(database -> {
                    Eventually.pause(1_100);
                    return true;
                })
                .exceptionally(failure -> false)
                .join();
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "?w=majority, 0", "?w=2, 0", "?w=1, 1"})
    void warnsOfAWriteConcernThatMayForget(String options, int warnings) {
        try (LogLines log = new LogLines();
                CounterStore unused = CounterStores.open("mongodb://ann:hunter2@db1/" + options)) {
            assertThat(log.with("WARN mongodb://db1 is used with w=1: when a different member becomes primary, "
                            + "counts that only the old primary has are lost"))
                    .hasSize(warnings);
            assertThat(log.with("WARN")).hasSize(warnings).noneMatch(line -> line.contains("hunter2"));
        }
    }
}

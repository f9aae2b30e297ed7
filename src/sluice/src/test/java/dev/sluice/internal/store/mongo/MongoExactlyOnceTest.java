package dev.sluice.internal.store.mongo;

import dev.sluice.internal.store.CutsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Also where a batch is read, written and read again. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
@Tag("thorough")
class MongoExactlyOnceTest extends CutsContract {

    private static MongoServerInProcess mongo;

    @BeforeAll
    static void start() {
        mongo = MongoServerInProcess.open();
    }

    @AfterAll
    static void stop() {
        mongo.close();
    }

    @Override
    protected int serverPort() {
        return mongo.port();
    }

    @Override
    protected String uri(int port) {
        return "mongodb://127.0.0.1:" + port;
    }

    @Override
    protected String patientUri(int port) {
        return uri(port) + "/?timeoutMS=15000";
    }

    @Override
    protected String hastyUri(int port) {
        return uri(port) + "/?timeoutMS=2000";
    }

    @Override
    protected int cuts() {
        return 64;
    }
}

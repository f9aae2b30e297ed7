package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.QueueContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyQueueTest extends QueueContract {

    JettyQueueTest() {
        super(JettyServer::start);
    }
}

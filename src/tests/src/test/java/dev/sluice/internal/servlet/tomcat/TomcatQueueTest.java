package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.QueueContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatQueueTest extends QueueContract {

    TomcatQueueTest() {
        super(TomcatServer::start);
    }
}

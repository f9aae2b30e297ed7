package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.QueueContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowQueueTest extends QueueContract {

    UndertowQueueTest() {
        super(UndertowServer::start);
    }
}

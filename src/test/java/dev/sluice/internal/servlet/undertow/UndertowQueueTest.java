package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.QueueContract;

class UndertowQueueTest extends QueueContract {

    UndertowQueueTest() {
        super(UndertowServer::start);
    }
}

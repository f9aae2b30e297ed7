package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.QueueContract;

class UndertowQueueTest extends QueueContract {

    UndertowQueueTest() {
        super(UndertowServer::start);
    }
}

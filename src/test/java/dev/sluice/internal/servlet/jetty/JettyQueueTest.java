package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.QueueContract;

class JettyQueueTest extends QueueContract {

    JettyQueueTest() {
        super(JettyServer::start);
    }
}

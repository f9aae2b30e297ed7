package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.QueueContract;

class JettyQueueTest extends QueueContract {

    JettyQueueTest() {
        super(JettyServer::start);
    }
}

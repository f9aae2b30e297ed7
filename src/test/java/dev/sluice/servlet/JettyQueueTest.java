package dev.sluice.servlet;

class JettyQueueTest extends QueueContract {

    JettyQueueTest() {
        super(JettyServer::start);
    }
}

package dev.sluice.servlet;

class TomcatQueueTest extends QueueContract {

    TomcatQueueTest() {
        super(TomcatServer::start);
    }
}

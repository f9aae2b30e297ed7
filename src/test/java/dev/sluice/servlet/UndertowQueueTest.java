package dev.sluice.servlet;

class UndertowQueueTest extends QueueContract {

    UndertowQueueTest() {
        super(UndertowServer::start);
    }
}

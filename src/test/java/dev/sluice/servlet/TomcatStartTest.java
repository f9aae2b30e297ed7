package dev.sluice.servlet;

class TomcatStartTest extends StartContract {

    TomcatStartTest() {
        super(TomcatServer::start);
    }
}

package dev.sluice.servlet;

class TomcatStallTest extends StallContract {

    TomcatStallTest() {
        super(TomcatServer::start);
    }
}

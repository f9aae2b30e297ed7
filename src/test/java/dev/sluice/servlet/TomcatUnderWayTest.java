package dev.sluice.servlet;

class TomcatUnderWayTest extends UnderWayContract {

    TomcatUnderWayTest() {
        super(TomcatServer::start);
    }
}

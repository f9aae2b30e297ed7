package dev.sluice.servlet;

class JettyUnderWayTest extends UnderWayContract {

    JettyUnderWayTest() {
        super(JettyServer::start);
    }
}

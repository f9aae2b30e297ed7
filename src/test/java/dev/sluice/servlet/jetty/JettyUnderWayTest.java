package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.UnderWayContract;

class JettyUnderWayTest extends UnderWayContract {

    JettyUnderWayTest() {
        super(JettyServer::start);
    }
}

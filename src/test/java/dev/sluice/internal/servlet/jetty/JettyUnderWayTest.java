package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.UnderWayContract;

class JettyUnderWayTest extends UnderWayContract {

    JettyUnderWayTest() {
        super(JettyServer::start);
    }
}

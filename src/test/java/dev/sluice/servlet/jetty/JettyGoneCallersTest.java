package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.GoneCallersContract;

class JettyGoneCallersTest extends GoneCallersContract {

    JettyGoneCallersTest() {
        super(JettyServer::start);
    }
}

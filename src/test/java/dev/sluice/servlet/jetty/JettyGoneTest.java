package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.GoneCallersContract;

class JettyGoneTest extends GoneCallersContract {

    JettyGoneTest() {
        super(JettyServer::start);
    }
}

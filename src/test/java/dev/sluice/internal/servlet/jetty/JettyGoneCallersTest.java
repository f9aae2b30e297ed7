package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.GoneCallersContract;

class JettyGoneCallersTest extends GoneCallersContract {

    JettyGoneCallersTest() {
        super(JettyServer::start);
    }
}

package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.StallContract;

class JettyStallTest extends StallContract {

    JettyStallTest() {
        super(JettyServer::start);
    }
}

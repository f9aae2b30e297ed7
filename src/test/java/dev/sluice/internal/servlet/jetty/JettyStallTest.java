package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.StallContract;

class JettyStallTest extends StallContract {

    JettyStallTest() {
        super(JettyServer::start);
    }
}

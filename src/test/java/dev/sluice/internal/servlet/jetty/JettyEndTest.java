package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.EndContract;

class JettyEndTest extends EndContract {

    JettyEndTest() {
        super(JettyServer::start);
    }
}

package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.EndContract;

class JettyEndTest extends EndContract {

    JettyEndTest() {
        super(JettyServer::start);
    }
}

package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.ContainerContract;

class JettyTest extends ContainerContract {

    JettyTest() {
        super(JettyServer::start);
    }
}

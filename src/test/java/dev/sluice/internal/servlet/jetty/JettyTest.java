package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.ContainerContract;

class JettyTest extends ContainerContract {

    JettyTest() {
        super(JettyServer::start);
    }
}

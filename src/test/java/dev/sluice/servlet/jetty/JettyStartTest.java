package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.StartContract;

class JettyStartTest extends StartContract {

    JettyStartTest() {
        super(JettyServer::start);
    }
}

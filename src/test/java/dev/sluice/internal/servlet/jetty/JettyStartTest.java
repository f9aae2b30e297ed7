package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.StartContract;

class JettyStartTest extends StartContract {

    JettyStartTest() {
        super(JettyServer::start);
    }
}

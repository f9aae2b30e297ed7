package dev.sluice.servlet;

class JettyStallTest extends StallContract {

    JettyStallTest() {
        super(JettyServer::start);
    }
}

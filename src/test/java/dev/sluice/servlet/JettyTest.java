package dev.sluice.servlet;

class JettyTest extends ContainerContract {

    JettyTest() {
        super(JettyServer::start);
    }
}

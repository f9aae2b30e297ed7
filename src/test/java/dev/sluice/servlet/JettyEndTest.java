package dev.sluice.servlet;

class JettyEndTest extends EndContract {

    JettyEndTest() {
        super(JettyServer::start);
    }
}

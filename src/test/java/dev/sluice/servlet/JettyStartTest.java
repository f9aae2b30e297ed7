package dev.sluice.servlet;

class JettyStartTest extends StartContract {

    JettyStartTest() {
        super(JettyServer::start);
    }
}

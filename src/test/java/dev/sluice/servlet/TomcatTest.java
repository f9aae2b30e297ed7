package dev.sluice.servlet;

class TomcatTest extends ContainerContract {

    TomcatTest() {
        super(TomcatServer::start);
    }
}

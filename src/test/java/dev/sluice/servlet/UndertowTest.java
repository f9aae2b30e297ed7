package dev.sluice.servlet;

class UndertowTest extends ContainerContract {

    UndertowTest() {
        super(UndertowServer::start);
    }
}

package dev.sluice.servlet;

class UndertowEndTest extends EndContract {

    UndertowEndTest() {
        super(UndertowServer::start);
    }
}

package dev.sluice.servlet;

class UndertowStallTest extends StallContract {

    UndertowStallTest() {
        super(UndertowServer::start);
    }
}

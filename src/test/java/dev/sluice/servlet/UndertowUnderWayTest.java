package dev.sluice.servlet;

class UndertowUnderWayTest extends UnderWayContract {

    UndertowUnderWayTest() {
        super(UndertowServer::start);
    }
}

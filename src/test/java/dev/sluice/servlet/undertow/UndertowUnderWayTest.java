package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.UnderWayContract;

class UndertowUnderWayTest extends UnderWayContract {

    UndertowUnderWayTest() {
        super(UndertowServer::start);
    }
}

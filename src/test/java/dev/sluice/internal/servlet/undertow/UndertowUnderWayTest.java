package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.UnderWayContract;

class UndertowUnderWayTest extends UnderWayContract {

    UndertowUnderWayTest() {
        super(UndertowServer::start);
    }
}

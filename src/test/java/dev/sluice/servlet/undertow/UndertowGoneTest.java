package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.GoneCallersContract;

class UndertowGoneTest extends GoneCallersContract {

    UndertowGoneTest() {
        super(UndertowServer::start);
    }
}

package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.GoneCallersContract;

class UndertowGoneCallersTest extends GoneCallersContract {

    UndertowGoneCallersTest() {
        super(UndertowServer::start, 1_000);
    }
}

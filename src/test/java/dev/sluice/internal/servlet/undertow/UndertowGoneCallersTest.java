package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.GoneCallersContract;

class UndertowGoneCallersTest extends GoneCallersContract {

    UndertowGoneCallersTest() {
        super(UndertowServer::start, 1_000);
    }
}

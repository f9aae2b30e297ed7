package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.StallContract;

class UndertowStallTest extends StallContract {

    UndertowStallTest() {
        super(UndertowServer::start);
    }
}

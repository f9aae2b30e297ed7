package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.StallContract;

class UndertowStallTest extends StallContract {

    UndertowStallTest() {
        super(UndertowServer::start);
    }
}

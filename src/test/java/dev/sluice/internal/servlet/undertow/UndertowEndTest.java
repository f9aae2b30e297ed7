package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.EndContract;

class UndertowEndTest extends EndContract {

    UndertowEndTest() {
        super(UndertowServer::start);
    }
}

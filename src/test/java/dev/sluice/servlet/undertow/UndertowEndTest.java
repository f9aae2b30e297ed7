package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.EndContract;

class UndertowEndTest extends EndContract {

    UndertowEndTest() {
        super(UndertowServer::start);
    }
}

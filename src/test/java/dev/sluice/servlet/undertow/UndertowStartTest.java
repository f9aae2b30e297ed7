package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.StartContract;

class UndertowStartTest extends StartContract {

    UndertowStartTest() {
        super(UndertowServer::start);
    }
}

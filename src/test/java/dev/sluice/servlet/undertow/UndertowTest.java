package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.ContainerContract;

class UndertowTest extends ContainerContract {

    UndertowTest() {
        super(UndertowServer::start);
    }
}

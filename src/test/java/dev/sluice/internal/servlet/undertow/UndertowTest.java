package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.ContainerContract;

class UndertowTest extends ContainerContract {

    UndertowTest() {
        super(UndertowServer::start);
    }
}

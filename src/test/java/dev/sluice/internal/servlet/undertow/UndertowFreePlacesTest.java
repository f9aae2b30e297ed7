package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.FreePlacesContract;

class UndertowFreePlacesTest extends FreePlacesContract {

    UndertowFreePlacesTest() {
        super(UndertowServer::start, 1_000);
    }
}

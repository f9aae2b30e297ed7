package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.FreePlacesContract;

class UndertowFreePlacesTest extends FreePlacesContract {

    UndertowFreePlacesTest() {
        super(UndertowServer::start, 1_000);
    }
}

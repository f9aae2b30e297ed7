package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.ParkingContract;

class UndertowParkingTest extends ParkingContract {

    UndertowParkingTest() {
        super(UndertowServer::start);
    }
}

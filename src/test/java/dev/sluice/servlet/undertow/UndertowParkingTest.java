package dev.sluice.servlet.undertow;

import dev.sluice.servlet.contract.ParkingContract;

class UndertowParkingTest extends ParkingContract {

    UndertowParkingTest() {
        super(UndertowServer::start);
    }
}

package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.ParkingContract;

class TomcatParkingTest extends ParkingContract {

    TomcatParkingTest() {
        super(TomcatServer::start);
    }
}

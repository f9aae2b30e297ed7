package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.ParkingContract;

class TomcatParkingTest extends ParkingContract {

    TomcatParkingTest() {
        super(TomcatServer::start);
    }
}

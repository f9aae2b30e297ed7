package dev.sluice.servlet.jetty;

import dev.sluice.servlet.contract.ParkingContract;

class JettyParkingTest extends ParkingContract {

    JettyParkingTest() {
        super(JettyServer::start);
    }
}

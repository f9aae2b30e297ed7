package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.ParkingContract;

class JettyParkingTest extends ParkingContract {

    JettyParkingTest() {
        super(JettyServer::start);
    }
}

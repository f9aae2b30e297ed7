package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.UnderWayContract;

class TomcatUnderWayTest extends UnderWayContract {

    TomcatUnderWayTest() {
        super(TomcatServer::start);
    }
}

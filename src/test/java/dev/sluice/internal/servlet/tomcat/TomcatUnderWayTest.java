package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.UnderWayContract;

class TomcatUnderWayTest extends UnderWayContract {

    TomcatUnderWayTest() {
        super(TomcatServer::start);
    }
}

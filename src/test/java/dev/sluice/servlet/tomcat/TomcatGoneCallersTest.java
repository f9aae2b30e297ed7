package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.GoneCallersContract;

class TomcatGoneCallersTest extends GoneCallersContract {

    TomcatGoneCallersTest() {
        super(TomcatServer::start);
    }
}

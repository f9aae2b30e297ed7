package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.GoneCallersContract;

class TomcatGoneTest extends GoneCallersContract {

    TomcatGoneTest() {
        super(TomcatServer::start);
    }
}

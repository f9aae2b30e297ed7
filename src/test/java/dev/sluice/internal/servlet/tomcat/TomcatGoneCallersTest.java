package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.GoneCallersContract;

class TomcatGoneCallersTest extends GoneCallersContract {

    TomcatGoneCallersTest() {
        super(TomcatServer::start);
    }
}

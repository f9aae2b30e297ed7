package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.StallContract;

class TomcatStallTest extends StallContract {

    TomcatStallTest() {
        super(TomcatServer::start);
    }
}

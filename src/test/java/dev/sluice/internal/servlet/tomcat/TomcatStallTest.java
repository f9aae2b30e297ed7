package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.StallContract;

class TomcatStallTest extends StallContract {

    TomcatStallTest() {
        super(TomcatServer::start);
    }
}

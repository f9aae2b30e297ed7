package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.EndContract;

class TomcatEndTest extends EndContract {

    TomcatEndTest() {
        super(TomcatServer::start);
    }
}

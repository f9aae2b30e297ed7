package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.EndContract;

class TomcatEndTest extends EndContract {

    TomcatEndTest() {
        super(TomcatServer::start);
    }
}

package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.ContainerContract;

class TomcatTest extends ContainerContract {

    TomcatTest() {
        super(TomcatServer::start);
    }
}

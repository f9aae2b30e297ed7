package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.ContainerContract;

class TomcatTest extends ContainerContract {

    TomcatTest() {
        super(TomcatServer::start);
    }
}

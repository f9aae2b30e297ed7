package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.StartContract;

class TomcatStartTest extends StartContract {

    TomcatStartTest() {
        super(TomcatServer::start);
    }
}

package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.StartContract;

class TomcatStartTest extends StartContract {

    TomcatStartTest() {
        super(TomcatServer::start);
    }
}

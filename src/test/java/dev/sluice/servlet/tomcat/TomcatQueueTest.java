package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.QueueContract;

class TomcatQueueTest extends QueueContract {

    TomcatQueueTest() {
        super(TomcatServer::start);
    }
}

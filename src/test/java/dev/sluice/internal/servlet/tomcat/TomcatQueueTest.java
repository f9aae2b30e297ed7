package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.QueueContract;

class TomcatQueueTest extends QueueContract {

    TomcatQueueTest() {
        super(TomcatServer::start);
    }
}

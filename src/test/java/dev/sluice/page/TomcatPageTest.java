package dev.sluice.page;

import dev.sluice.servlet.tomcat.TomcatServer;

class TomcatPageTest extends PageContract {
    TomcatPageTest() {
        super(TomcatServer::start);
    }
}

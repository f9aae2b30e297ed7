package dev.sluice.page;

import dev.sluice.servlet.TomcatServer;

class TomcatPageTest extends PageContract {
    TomcatPageTest() {
        super(TomcatServer::start);
    }
}

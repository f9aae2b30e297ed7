package dev.sluice.page;

import dev.sluice.internal.servlet.tomcat.TomcatServer;

class TomcatPageTest extends ServletPageContract {
    TomcatPageTest() {
        super(TomcatServer::start);
    }
}

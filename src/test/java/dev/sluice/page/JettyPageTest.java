package dev.sluice.page;

import dev.sluice.servlet.jetty.JettyServer;

class JettyPageTest extends PageContract {
    JettyPageTest() {
        super(JettyServer::start);
    }
}

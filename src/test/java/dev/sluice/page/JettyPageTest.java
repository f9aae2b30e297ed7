package dev.sluice.page;

import dev.sluice.servlet.jetty.JettyServer;

class JettyPageTest extends ServletPageContract {
    JettyPageTest() {
        super(JettyServer::start);
    }
}

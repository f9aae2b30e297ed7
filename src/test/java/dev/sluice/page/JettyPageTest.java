package dev.sluice.page;

import dev.sluice.servlet.JettyServer;

class JettyPageTest extends PageContract {
    JettyPageTest() {
        super(JettyServer::start);
    }
}

package dev.sluice.page;

import dev.sluice.internal.servlet.jetty.JettyServer;

class JettyPageTest extends ServletPageContract {
    JettyPageTest() {
        super(JettyServer::start);
    }
}

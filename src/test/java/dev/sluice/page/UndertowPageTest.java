package dev.sluice.page;

import dev.sluice.servlet.UndertowServer;

class UndertowPageTest extends PageContract {
    UndertowPageTest() {
        super(UndertowServer::start);
    }
}

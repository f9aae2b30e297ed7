package dev.sluice.page;

import dev.sluice.servlet.undertow.UndertowServer;

class UndertowPageTest extends PageContract {
    UndertowPageTest() {
        super(UndertowServer::start);
    }
}

package dev.sluice.page;

import dev.sluice.servlet.undertow.UndertowServer;

class UndertowPageTest extends ServletPageContract {
    UndertowPageTest() {
        super(UndertowServer::start);
    }
}

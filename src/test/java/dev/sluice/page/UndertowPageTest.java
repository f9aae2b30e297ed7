package dev.sluice.page;

import dev.sluice.internal.servlet.undertow.UndertowServer;

class UndertowPageTest extends ServletPageContract {
    UndertowPageTest() {
        super(UndertowServer::start);
    }
}

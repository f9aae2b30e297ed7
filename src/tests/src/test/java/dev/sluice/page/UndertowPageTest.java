package dev.sluice.page;

import dev.sluice.internal.servlet.undertow.UndertowServer;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowPageTest extends ServletPageContract {
    UndertowPageTest() {
        super(UndertowServer::start);
    }
}

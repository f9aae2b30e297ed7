package dev.sluice.page;

import dev.sluice.internal.servlet.jetty.JettyServer;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyPageTest extends ServletPageContract {
    JettyPageTest() {
        super(JettyServer::start);
    }
}

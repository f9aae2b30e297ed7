package dev.sluice.page;

import dev.sluice.internal.servlet.tomcat.TomcatServer;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatPageTest extends ServletPageContract {
    TomcatPageTest() {
        super(TomcatServer::start);
    }
}

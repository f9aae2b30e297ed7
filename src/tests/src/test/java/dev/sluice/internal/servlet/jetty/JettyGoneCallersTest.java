package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.GoneCallersContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyGoneCallersTest extends GoneCallersContract {

    JettyGoneCallersTest() {
        super(JettyServer::start);
    }
}

package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.UnderWayContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyUnderWayTest extends UnderWayContract {

    JettyUnderWayTest() {
        super(JettyServer::start);
    }
}

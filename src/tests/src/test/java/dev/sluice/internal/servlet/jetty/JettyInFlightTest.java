package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.InFlightContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyInFlightTest extends InFlightContract {

    JettyInFlightTest() {
        super(JettyServer::start);
    }
}

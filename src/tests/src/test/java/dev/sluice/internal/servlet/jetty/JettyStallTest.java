package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.StallContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyStallTest extends StallContract {

    JettyStallTest() {
        super(JettyServer::start);
    }
}

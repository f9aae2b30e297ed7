package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.ContainerContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyTest extends ContainerContract {

    JettyTest() {
        super(JettyServer::start);
    }
}

package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.EndContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyEndTest extends EndContract {

    JettyEndTest() {
        super(JettyServer::start);
    }
}

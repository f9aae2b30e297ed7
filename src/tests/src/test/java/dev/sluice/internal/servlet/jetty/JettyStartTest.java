package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.StartContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyStartTest extends StartContract {

    JettyStartTest() {
        super(JettyServer::start);
    }
}

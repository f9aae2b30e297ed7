package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.WelcomeFileContract;
import org.eclipse.jetty.ee10.servlet.DefaultServlet;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyWelcomeFileTest extends WelcomeFileContract {

    JettyWelcomeFileTest() {
        super(JettyServer::start, DefaultServlet::new);
    }
}

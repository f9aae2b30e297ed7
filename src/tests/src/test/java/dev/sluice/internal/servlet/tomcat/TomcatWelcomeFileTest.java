package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.WelcomeFileContract;
import org.apache.catalina.servlets.DefaultServlet;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatWelcomeFileTest extends WelcomeFileContract {

    TomcatWelcomeFileTest() {
        super(TomcatServer::start, DefaultServlet::new);
    }
}

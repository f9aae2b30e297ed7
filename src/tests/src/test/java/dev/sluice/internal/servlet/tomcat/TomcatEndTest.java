package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.EndContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatEndTest extends EndContract {

    TomcatEndTest() {
        super(TomcatServer::start);
    }
}

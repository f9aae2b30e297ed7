package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.InFlightContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatInFlightTest extends InFlightContract {

    TomcatInFlightTest() {
        super(TomcatServer::start);
    }
}

package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.UnderWayContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatUnderWayTest extends UnderWayContract {

    TomcatUnderWayTest() {
        super(TomcatServer::start);
    }
}

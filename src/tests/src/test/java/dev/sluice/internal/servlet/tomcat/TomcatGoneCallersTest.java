package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.GoneCallersContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatGoneCallersTest extends GoneCallersContract {

    TomcatGoneCallersTest() {
        super(TomcatServer::start);
    }
}

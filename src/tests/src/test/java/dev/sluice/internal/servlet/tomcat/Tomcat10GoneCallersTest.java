package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.GoneCallersContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class Tomcat10GoneCallersTest extends GoneCallersContract {

    Tomcat10GoneCallersTest() {
        super(OlderTomcat::start);
    }
}

package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.StallContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatStallTest extends StallContract {

    TomcatStallTest() {
        super(TomcatServer::start);
    }
}

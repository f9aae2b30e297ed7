package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.ContainerContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatTest extends ContainerContract {

    TomcatTest() {
        super(TomcatServer::start);
    }
}

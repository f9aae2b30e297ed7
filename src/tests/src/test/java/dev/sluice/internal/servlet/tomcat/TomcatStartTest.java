package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.StartContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class TomcatStartTest extends StartContract {

    TomcatStartTest() {
        super(TomcatServer::start);
    }
}

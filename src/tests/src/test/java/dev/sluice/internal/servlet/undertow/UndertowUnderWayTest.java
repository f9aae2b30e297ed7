package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.UnderWayContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowUnderWayTest extends UnderWayContract {

    UndertowUnderWayTest() {
        super(UndertowServer::start);
    }
}

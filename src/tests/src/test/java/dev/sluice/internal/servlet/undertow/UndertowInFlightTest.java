package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.InFlightContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowInFlightTest extends InFlightContract {

    UndertowInFlightTest() {
        super(UndertowServer::start);
    }
}

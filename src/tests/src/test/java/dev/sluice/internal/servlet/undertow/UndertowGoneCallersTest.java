package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.GoneCallersContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowGoneCallersTest extends GoneCallersContract {

    UndertowGoneCallersTest() {
        super(UndertowServer::start, 1_000);
    }
}

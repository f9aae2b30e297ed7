package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.FreePlacesContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowFreePlacesTest extends FreePlacesContract {

    UndertowFreePlacesTest() {
        super(UndertowServer::start, 1_000);
    }
}

package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.ContainerContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowTest extends ContainerContract {

    UndertowTest() {
        super(UndertowServer::start);
    }
}

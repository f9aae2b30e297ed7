package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.StallContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowStallTest extends StallContract {

    UndertowStallTest() {
        super(UndertowServer::start);
    }
}

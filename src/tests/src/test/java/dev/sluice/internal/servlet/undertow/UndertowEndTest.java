package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.EndContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowEndTest extends EndContract {

    UndertowEndTest() {
        super(UndertowServer::start);
    }
}

package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.FreeSlotsContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowFreeSlotsTest extends FreeSlotsContract {

    UndertowFreeSlotsTest() {
        super(UndertowServer::start, 1_000);
    }
}

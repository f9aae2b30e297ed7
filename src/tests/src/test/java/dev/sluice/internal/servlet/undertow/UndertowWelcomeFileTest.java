package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.WelcomeFileContract;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowWelcomeFileTest extends WelcomeFileContract {

    UndertowWelcomeFileTest() {
        super(UndertowServer::start, null);
    }
}

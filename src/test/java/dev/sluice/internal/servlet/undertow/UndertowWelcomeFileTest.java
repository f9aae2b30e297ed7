package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.WelcomeFileContract;

class UndertowWelcomeFileTest extends WelcomeFileContract {

    UndertowWelcomeFileTest() {
        super(UndertowServer::start, null);
    }
}

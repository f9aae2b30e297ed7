package dev.sluice.bypass;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class UndertowBypassTest extends BypassContract {

    UndertowBypassTest() {
        super(Container.undertow());
    }
}

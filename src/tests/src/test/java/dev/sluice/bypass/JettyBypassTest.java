package dev.sluice.bypass;

import org.junit.jupiter.api.Tag;

@Tag("thorough")
@Tag("server")
class JettyBypassTest extends BypassContract {

    JettyBypassTest() {
        super(Container.jetty());
    }
}

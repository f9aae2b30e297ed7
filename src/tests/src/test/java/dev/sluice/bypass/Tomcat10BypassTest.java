package dev.sluice.bypass;

import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("thorough")
class Tomcat10BypassTest extends BypassContract {

    Tomcat10BypassTest() {
        super(Container.tomcat10());
    }
}

package dev.sluice.bypass;

import org.junit.jupiter.api.Tag;

@Tag("server")
class Tomcat11BypassTest extends BypassContract {

    Tomcat11BypassTest() {
        super(Container.tomcat11());
    }
}

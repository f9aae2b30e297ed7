package dev.sluice.bypass;

import org.junit.jupiter.api.Tag;

@Tag("server")
class Tomcat10BypassTest extends BypassContract {

    Tomcat10BypassTest() {
        super(Container.tomcat10());
    }
}

package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.FreePlacesContract;
import org.junit.jupiter.api.Tag;

@Tag("server")
class Tomcat10FreePlacesTest extends FreePlacesContract {

    Tomcat10FreePlacesTest() {
        super(OlderTomcat::start);
    }
}

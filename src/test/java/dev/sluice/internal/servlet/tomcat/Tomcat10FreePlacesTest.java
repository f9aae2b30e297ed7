package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.FreePlacesContract;

class Tomcat10FreePlacesTest extends FreePlacesContract {

    Tomcat10FreePlacesTest() {
        super(OlderTomcat::start);
    }
}

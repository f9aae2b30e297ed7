package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.FreePlacesContract;

class Tomcat10FreePlacesTest extends FreePlacesContract {

    Tomcat10FreePlacesTest() {
        super(OlderTomcat::start);
    }
}

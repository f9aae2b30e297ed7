package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.GoneCallersContract;

class Tomcat10GoneTest extends GoneCallersContract {

    Tomcat10GoneTest() {
        super(OlderTomcat::start);
    }
}

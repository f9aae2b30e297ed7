package dev.sluice.servlet.tomcat;

import dev.sluice.servlet.contract.GoneCallersContract;

class Tomcat10GoneCallersTest extends GoneCallersContract {

    Tomcat10GoneCallersTest() {
        super(OlderTomcat::start);
    }
}

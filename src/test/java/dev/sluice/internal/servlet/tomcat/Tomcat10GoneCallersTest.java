package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.GoneCallersContract;

class Tomcat10GoneCallersTest extends GoneCallersContract {

    Tomcat10GoneCallersTest() {
        super(OlderTomcat::start);
    }
}

package dev.sluice.bypass;

class Tomcat11BypassTest extends BypassContract {

    Tomcat11BypassTest() {
        super(Container.tomcat11());
    }
}

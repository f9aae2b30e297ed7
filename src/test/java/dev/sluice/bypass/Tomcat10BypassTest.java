package dev.sluice.bypass;

class Tomcat10BypassTest extends BypassContract {

    Tomcat10BypassTest() {
        super(Container.tomcat10());
    }
}

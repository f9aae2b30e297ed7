package dev.sluice.bypass;

class JettyBypassTest extends BypassContract {

    JettyBypassTest() {
        super(Container.jetty());
    }
}

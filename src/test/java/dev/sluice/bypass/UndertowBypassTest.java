package dev.sluice.bypass;

class UndertowBypassTest extends BypassContract {

    UndertowBypassTest() {
        super(Container.undertow());
    }
}

package dev.sluice.servlet;

class UndertowSpellingTest extends SpellingContract {

    UndertowSpellingTest() {
        super(UndertowServer::start);
    }
}

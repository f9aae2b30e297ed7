package dev.sluice.servlet;

class JettySpellingTest extends SpellingContract {

    JettySpellingTest() {
        super(JettyServer::start);
    }
}
